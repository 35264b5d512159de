// SPDX-License-Identifier: Apache-2.0

import Bus
import LedgerTesting
import Testing

@Suite("A registration that a code by text message confirms", .timeLimit(.minutes(1)))
struct CodeAuthorizationTests {
    private let phone = "+79161234567"

    @Test("waits for the code that came to the phone, and nobody asks the bank", arguments: LedgerKind.allCases)
    func verified(kind: LedgerKind) async throws {
        let office = try Office(kind)
        #expect(await office.registerByCode("Анна", phone) == .verificationRequired)
        #expect(office.phones.texts.map(\.phone) == [phone])
        let code = try #require(office.phones.code)
        #expect(code.utf8.allSatisfy { (0x30...0x39).contains($0) })
        #expect(office.phones.texts.map(\.text) == ["Code \(code) for you"])
        #expect(await office.has("анна") == false)
        #expect(await office.verify("анна", office.wrongCode) == .verificationFailed)
        #expect(await office.verify("анна", "") == .verificationFailed)
        #expect(await office.verify("АННА", code).secret != nil)
        #expect(await office.has("анна"))
        #expect(await office.verify("анна", code) == .notFound)
        #expect(office.bank.questions.isEmpty)
    }

    @Test("has five tries, and the right code after them comes too late", arguments: LedgerKind.allCases)
    func tries(kind: LedgerKind) async throws {
        let office = try Office(kind)
        #expect(await office.registerByCode("anna", phone) == .verificationRequired)
        let code = try #require(office.phones.code)
        for _ in 0..<5 { #expect(await office.verify("anna", office.wrongCode) == .verificationFailed) }
        #expect(await office.verify("anna", code).isTooManyTries)
        #expect(await office.registerByCode("anna", phone) == .verificationRequired)
        #expect(await office.verify("anna", try #require(office.phones.code)).isSubscribed)
    }

    @Test("takes the newest code only", arguments: LedgerKind.allCases)
    func replaced(kind: LedgerKind) async throws {
        let office = try Office(kind)
        #expect(await office.registerByCode("anna", phone) == .verificationRequired)
        let first = try #require(office.phones.code)
        #expect(await office.registerByCode("anna", phone) == .verificationRequired)
        let second = try #require(office.phones.code)
        if first != second { #expect(await office.verify("anna", first) == .verificationFailed) }
        #expect(await office.verify("anna", second).isSubscribed)
    }

    @Test("survives a restart", arguments: LedgerKind.allCases)
    func restart(kind: LedgerKind) async throws {
        let office = try Office(kind)
        #expect(await office.registerByCode("anna", phone) == .verificationRequired)
        try office.restart()
        #expect(await office.verify("anna", try #require(office.phones.code)).isSubscribed)
    }

    @Test("leaves the code in no file")
    func atRest() async throws {
        let office = try Office()
        // Six digits are in a file by chance now and then, but not the same ones thrice.
        var found = 0
        for user in ["anna", "boris", "vera"] {
            #expect(await office.registerByCode(RecipientID(user), phone, on: user) == .verificationRequired)
            if try office.holds(try #require(office.phones.code)) { found += 1 }
        }
        #expect(found < 3)
        #expect(try office.holds(phone))
    }

    @Test("needs a phone", arguments: [nil, ""])
    func phoneless(phone: String?) async throws {
        let office = try Office()
        guard case .refused(let refusal) = await office.registerByCode("anna", phone) else {
            Issue.record("it must be refused")
            return
        }
        #expect(refusal.fields.map(\.path) == ["phone"])
        #expect(office.phones.texts.isEmpty)
    }

    @Test("is refused where the phone can get no text message, and begun where nobody knows whether it did")
    func outcomes() async throws {
        let office = try Office()
        for outcome in [Outcome.rejected(reason: "bad"), .gone(.init(since: nil, isAmbiguous: false, reason: "gone"))] {
            office.phones.answer(outcome)
            guard case .refused(let refusal) = await office.registerByCode("anna", phone) else {
                Issue.record("it must be refused")
                return
            }
            #expect(refusal.fields.map(\.path) == ["phone"])
        }
        office.phones.answer(.unknown(reason: "silence"))
        #expect(await office.registerByCode("anna", phone) == .verificationRequired)
        #expect(await office.verify("anna", try #require(office.phones.code)).isSubscribed)
    }

    @Test(
        "fails while the gateway is away, as often as it likes",
        arguments: [
            Outcome.retry(after: nil, scope: .provider, reason: "away"), .unavailable(reason: "wrong password"),
        ]
    )
    func gatewayAway(outcome: Outcome) async throws {
        let office = try Office()
        office.phones.answer(outcome)
        for _ in 0..<30 { #expect(await office.registerByCode("anna", phone) == .gatewayUnreachable) }
        office.phones.answer(.accepted)
        #expect(await office.registerByCode("anna", phone) == .verificationRequired)
    }

    @Test("sends ten texts to a phone, however its number is written and whoever asks", arguments: LedgerKind.allCases)
    func textsOfAPhone(kind: LedgerKind) async throws {
        let office = try Office(kind)
        let spellings = ["+79161234567", "8 (916) 123-45-67", "9161234567", "0079161234567", "+7 916 123 45 67"]
        for number in 0..<10 {
            let user = RecipientID("user\(number)")
            #expect(await office.registerByCode(user, spellings[number % 5]) == .verificationRequired)
        }
        #expect(await office.registerByCode("user11", phone).isTooManyTries)
        #expect(await office.registerByCode("user11", "+79161234568") == .verificationRequired)
        #expect(office.phones.texts.count == 11)
    }

    @Test("sends ten texts for a user, whatever phones he names", arguments: LedgerKind.allCases)
    func textsOfAUser(kind: LedgerKind) async throws {
        let office = try Office(kind)
        for number in 0..<10 {
            #expect(await office.registerByCode("anna", "+7916123456\(number)") == .verificationRequired)
        }
        #expect(await office.registerByCode("anna", "+79161234577").isTooManyTries)
        #expect(await office.registerByCode("boris", "+79161234577") == .verificationRequired)
    }
}

extension Office {
    /// Some code that is not the one sent last.
    fileprivate var wrongCode: String { phones.code == "000000" ? "000001" : "000000" }

    fileprivate func registerByCode(_ user: RecipientID, _ phone: String?, on device: String = "d1") async -> Reply {
        var registration = Registration(
            app: "retail",
            user: Recipient(user),
            deviceID: device,
            platform: .ios,
            token: "aa",
            phone: phone
        )
        registration.authorization = .smsCode
        registration.codeText = "Code {code} for you"
        return await submit(.registration(registration))
    }
}
