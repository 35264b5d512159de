// SPDX-License-Identifier: Apache-2.0

import Bus
import LedgerTesting
import Testing

@Suite("A registration that the bank must agree to", .timeLimit(.minutes(1)))
struct BankAuthorizationTests {
    private let subject = SubscriptionSubject(bankClientID: "42", user: "Анна", deviceID: "d1", platform: .ios)

    @Test(
        "is kept at once where the bank knows of an agreement, which it is asked in the user's own spelling",
        arguments: LedgerKind.allCases
    )
    func authorized(kind: LedgerKind) async throws {
        let office = try Office(kind)
        office.bank.authorize(true)
        #expect(await office.register("Анна").secret != nil)
        #expect(office.bank.questions == [.isAuthorized(subject)])
        #expect(await office.has("анна"))
    }

    @Test("waits for a code otherwise, and is kept when the right one comes", arguments: LedgerKind.allCases)
    func verified(kind: LedgerKind) async throws {
        let office = try Office(kind)
        #expect(await office.register("Анна") == .verificationRequired)
        #expect(office.bank.questions == [.isAuthorized(subject), .authorize(subject)])
        #expect(await office.has("Анна") == false)
        #expect(await office.verify("АННА", "0000") == .verificationFailed)
        #expect(await office.has("Анна") == false)
        #expect(await office.verify("анна", "1234").secret != nil)
        #expect(office.bank.questions.last == .verify(subject, code: "1234"))
        #expect(await office.has("Анна"))
        #expect(await office.verify("анна", "1234") == .notFound)
    }

    @Test("is known again by its secret, and the bank is not asked", arguments: LedgerKind.allCases)
    func known(kind: LedgerKind) async throws {
        let office = try Office(kind)
        office.bank.authorize(true)
        let secret = try #require(await office.register("anna").secret)
        let again = await office.register("anna", token: "bb", client: nil, .secret(secret))
        #expect(again.isSubscribed && again.secret == nil)
        #expect(office.bank.questions.count == 1)
        office.bank.authorize(false)
        #expect(await office.register("anna", token: "cc") == .verificationRequired)
        #expect(await office.register("anna", token: "cc", .secret("guess")) == .verificationRequired)
    }

    @Test("needs the bank's number of the customer")
    func clientless() async throws {
        let office = try Office()
        guard case .refused(let refusal) = await office.register("anna", client: nil) else {
            Issue.record("it must be refused")
            return
        }
        #expect(refusal.fields.map(\.path) == ["bankClientId"])
        #expect(office.bank.questions.isEmpty)
    }

    @Test(
        "leaves nothing behind when the bank will not have it",
        arguments: [
            (BankLinkError.unknownClient, Reply.unknownClient), (.unreachable("down"), .bankUnreachable),
            (.notUnderstood("it said no"), .bankNotUnderstood("it said no")),
            (nil, .authorizationFailed),
        ] as [(BankLinkError?, Reply)]
    )
    func refused(failure: BankLinkError?, reply: Reply) async throws {
        let office = try Office()
        office.bank.accept(false)
        office.bank.fail(failure)
        #expect(await office.register("anna") == reply)
        office.bank.fail(nil)
        #expect(await office.verify("anna", "1234") == .notFound)
        #expect(await office.has("anna") == false)
    }

    @Test("has five tries, which an unreachable bank does not cost", arguments: LedgerKind.allCases)
    func tries(kind: LedgerKind) async throws {
        let office = try Office(kind)
        #expect(await office.register("anna") == .verificationRequired)
        office.bank.fail(.unreachable("down"))
        for _ in 0..<7 { #expect(await office.verify("anna", "1234") == .bankUnreachable) }
        office.bank.fail(nil)
        for _ in 0..<5 { #expect(await office.verify("anna", "0000") == .verificationFailed) }
        let asked = office.bank.questions.count
        #expect(await office.verify("anna", "1234").isTooManyTries)
        #expect(office.bank.questions.count == asked)
        #expect(await office.register("anna") == .verificationRequired)
        #expect(await office.verify("anna", "1234").isSubscribed)
    }

    @Test("is given up for a while by who guesses on with ever new devices", arguments: LedgerKind.allCases)
    func guessing(kind: LedgerKind) async throws {
        let office = try Office(kind)
        var wrong = 0
        for device in 0..<6 {
            guard await office.register("anna", on: "d\(device)") == .verificationRequired else { break }
            for _ in 0..<5 where await office.verify("anna", on: "d\(device)", "0000") == .verificationFailed {
                wrong += 1
            }
        }
        #expect(wrong == 20)
        #expect(await office.verify("anna", on: "d5", "1234").isTooManyTries)
        #expect(await office.register("boris", on: "d9", token: "bb") == .verificationRequired)
        #expect(await office.verify("boris", on: "d9", "1234").isSubscribed)
    }

    @Test("asks for so many codes only", arguments: LedgerKind.allCases)
    func codes(kind: LedgerKind) async throws {
        let office = try Office(kind)
        for _ in 0..<20 { #expect(await office.register("anna") == .verificationRequired) }
        #expect(await office.register("anna").isTooManyTries)
        #expect(await office.register("boris") == .verificationRequired)
        office.bank.authorize(true)
        #expect(await office.register("anna").isSubscribed)
    }

    @Test("survives a restart", arguments: LedgerKind.allCases)
    func restart(kind: LedgerKind) async throws {
        let office = try Office(kind)
        #expect(await office.register("anna") == .verificationRequired)
        try office.restart()
        #expect(await office.verify("anna", "1234").isSubscribed)
    }

    @Test("of a phone that changes hands ends the first user's when it succeeds, not before", arguments: ["d1", "d2"])
    func otherHands(device: String) async throws {
        let office = try Office()
        office.bank.authorize(true)
        #expect(await office.register("anna", token: "aa").isSubscribed)
        office.bank.authorize(false)
        #expect(await office.register("boris", on: device, token: "aa") == .verificationRequired)
        #expect(await office.has("anna"))
        #expect(await office.verify("boris", on: device, "1234").isSubscribed)
        #expect(await office.has("anna") == false)
        #expect(await office.has("boris", on: device))
    }

    @Test("is confirmed once, however many say the code at once", arguments: LedgerKind.allCases)
    func race(kind: LedgerKind) async throws {
        let office = try Office(kind)
        #expect(await office.register("anna") == .verificationRequired)
        let replies = await withTaskGroup(of: Reply.self) { group in
            for _ in 0..<5 { group.addTask { await office.verify("anna", "1234") } }
            return await group.reduce(into: [Reply]()) { $0.append($1) }
        }
        #expect(replies.count { $0.isSubscribed } == 1)
    }

    @Test("cannot be touched by who guesses at secrets", arguments: LedgerKind.allCases)
    func secrets(kind: LedgerKind) async throws {
        let office = try Office(kind)
        office.bank.authorize(true)
        let secret = try #require(await office.register("anna").secret)
        func update(_ secret: String) async -> Reply {
            await office.submit(
                .tokenUpdate(TokenUpdate(app: nil, deviceID: "d1", token: "bb", credential: .secret(secret)))
            )
        }
        for number in 0..<100 { #expect(await update("guess \(number)") == .unauthorized) }
        // Its owner is not locked out, and who asks for a device that does not exist hears the same.
        #expect(await update(secret) == .done)
        let elsewhere = TokenUpdate(app: nil, deviceID: "nowhere", token: "bb", credential: .secret(secret))
        #expect(await office.submit(.tokenUpdate(elsewhere)) == .unauthorized)
    }
}
