// SPDX-License-Identifier: Apache-2.0

import Bus
import Threads

extension Pipeline {
    /// How long a registration waits for a bank's code, in milliseconds: time for it to come and be typed.
    static let patience: Int64 = 10 * 60_000
    /// How often a code may be tried.
    private static let mostTries = 5

    /// Asks the bank about a new registration; where it does not know of an agreement, it sends its customer a code.
    func askBank(about registration: Registration) async -> Reply {
        guard let link = links.first?.link else { return .unavailable("there is no bank to ask in this pipeline") }
        guard let subject = SubscriptionSubject(registration) else {
            return .refused(Refusal(field: "bankClientId", "is missing"))
        }
        do {
            if try await link.ask(.isAuthorized(subject)) { return await subscribe(registration) }
        } catch { return reply(error) }
        let user = registration.user.id.text
        if let refused = await take(.code, by: user) { return refused }
        do {
            if try await link.ask(.authorize(subject)) { return await wait(for: registration) }
            await giveBack(.code, by: user)
            return .authorizationFailed
        } catch {
            // No code was sent.
            await giveBack(.code, by: user)
            return reply(error)
        }
    }

    /// Keeps a registration until its code comes, which the bank knows where there is no seal of it.
    func wait(
        for registration: Registration,
        codeSeal: [UInt8]? = nil,
        lasting patience: Int64 = Pipeline.patience
    ) async -> Reply {
        let now = ledger.schedule.read().due
        let pending = NewPendingRegistration(
            pipeline: number,
            registration: registration,
            codeSeal: codeSeal,
            at: now,
            expires: now.adding(milliseconds: patience)
        )
        switch await completed({ ledger.keep(pending, completion: $0) }) {
        case .failure(let error): return reply(error)
        case .success: return .verificationRequired
        }
    }

    /// Takes the code that a registration waits for.
    func verify(_ verification: Verification) async -> Reply {
        let user = verification.user.id
        if let refused = await take(.guess, by: user.text) { return refused }
        let answer = await tryCode(verification)
        if answer != .verificationFailed { await giveBack(.guess, by: user.text) }
        return answer
    }

    private func tryCode(_ verification: Verification) async -> Reply {
        let now = ledger.schedule.read().due
        let wish = PendingWish(
            pipeline: number,
            app: verification.app,
            deviceID: verification.deviceID,
            user: verification.user.id,
            mostTries: Self.mostTries,
            now: now
        )
        switch await completed({ ledger.takeTry(wish, completion: $0) }) {
        case .failure(let error): return reply(error)
        case .success(.nothing): return .notFound
        case .success(.usedUp(let until)):
            return .tooManyTries(retryAfter: Int(clamping: until.milliseconds(since: now) / 1000 + 1))
        case .success(.pending(let pending)): return await confirm(pending, code: verification.code)
        }
    }

    private func confirm(_ pending: PendingRegistration, code: String) async -> Reply {
        if let seal = pending.codeSeal {
            guard ConfirmationCode.opens(seal, code) else { return .verificationFailed }
            return await subscribe(pending.registration, confirming: pending.sequence)
        }
        guard let link = links.first?.link, let subject = SubscriptionSubject(pending.registration) else {
            return .unavailable("there is no bank to ask in this pipeline")
        }
        do {
            guard try await link.ask(.verify(subject, code: code)) else { return .verificationFailed }
        } catch {
            // Nobody looked at the code.
            _ = await completed { ledger.giveBackTry(pending.sequence, completion: $0) }
            return reply(error)
        }
        return await subscribe(pending.registration, confirming: pending.sequence)
    }

    private func reply(_ error: any Error) -> Reply {
        switch error {
        case BankLinkError.unknownClient: return .unknownClient
        case BankLinkError.unreachable(let reason):
            log.warning("the bank did not answer a question about a registration", ["reason": reason])
            return .bankUnreachable
        case BankLinkError.notUnderstood(let reason):
            log.warning("the bank's answer to a question about a registration is none", ["reason": reason])
            return .bankNotUnderstood(reason)
        default:
            log.error("the bank could not be asked about a registration", ["reason": "\(type(of: error))"])
            return .bankUnreachable
        }
    }
}

extension SubscriptionSubject {
    /// Whom a registration is about; `nil` where the app did not name the bank's number of them.
    fileprivate init?(_ registration: Registration) {
        guard let client = registration.bankClientID else { return nil }
        self.init(
            bankClientID: client,
            user: registration.user.spelling,
            deviceID: registration.deviceID,
            platform: registration.platform
        )
    }
}
