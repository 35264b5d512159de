// SPDX-License-Identifier: Apache-2.0

import Bus
import Threads

extension Pipeline {
    /// How long a code is good for, in seconds.
    private static let codeLife = 300

    /// Sends a code to the phone of a new registration, which waits until the app brings it.
    func sendCode(for registration: Registration) async -> Reply {
        guard let sender = codes else { return .unavailable("nothing sends text messages in this pipeline") }
        guard let phone = registration.phone, !phone.isEmpty else {
            return .refused(Refusal(field: "phone", "is missing; a code is sent to it"))
        }
        let names = ["user " + registration.user.id.text, "phone " + Self.comparable(phone)]
        if let refused = await takeTexts(names) { return refused }
        let code = ConfirmationCode()
        // First what is kept, so that no code comes to a phone that nobody waits for.
        let kept = await wait(for: registration, codeSeal: code.seal, lasting: Int64(Self.codeLife) * 1_000)
        guard kept == .verificationRequired else {
            await giveBack(.text, by: names)
            return kept
        }
        let text = registration.codeText.replacing(Registration.codePlaceholder, with: code.digits)
        let outcome = await sender.send(text, to: phone, lasting: Self.codeLife)
        return await reply(to: outcome, names)
    }

    private func takeTexts(_ names: [String]) async -> Reply? {
        for (index, name) in names.enumerated() {
            guard let refused = await take(.text, by: name) else { continue }
            await giveBack(.text, by: Array(names[..<index]))
            return refused
        }
        return nil
    }

    /// What tells phones apart, however their numbers are written: the last ten digits.
    private static func comparable(_ phone: String) -> String {
        String(decoding: phone.utf8.filter { (0x30...0x39).contains($0) }.suffix(10), as: UTF8.self)
    }

    private func reply(to outcome: Outcome, _ names: [String]) async -> Reply {
        switch outcome {
        // Where the gateway did not say whether it took it, the user will see.
        case .accepted, .unknown: return .verificationRequired
        case .rejected(let reason):
            log.info("a code could not be sent to the phone of a registration", ["reason": reason])
            return .refused(Refusal(field: "phone", "cannot get the text message with the code"))
        case .gone(let gone):
            log.info("a code could not be sent to the phone of a registration", ["reason": gone.reason])
            return .refused(Refusal(field: "phone", "cannot get the text message with the code"))
        case .retry(_, _, let reason), .unavailable(let reason):
            // Nothing was sent.
            await giveBack(.text, by: names)
            log.warning("the gateway took no code for a registration", ["reason": reason])
            return .gatewayUnreachable
        }
    }
}
