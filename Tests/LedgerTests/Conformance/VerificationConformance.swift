// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Registrations that wait for a code", .timeLimit(.minutes(1)))
struct VerificationConformance {
    private static let minute: Int64 = 60_000

    private func pending(
        _ user: RecipientID,
        in pipeline: PipelineNumber,
        app: String = "retail",
        device: String = "phone",
        at: DueTime = .noon
    ) -> NewPendingRegistration {
        var registration = NewSubscription.sample(user, in: pipeline, app: app, device: device).registration
        registration.user.id = RecipientID(user.text.lowercased())
        registration.bankClientID = "42"
        registration.authorization = .bank
        registration.endsOtherDevices = true
        return NewPendingRegistration(
            pipeline: pipeline,
            registration: registration,
            codeSeal: nil,
            at: at,
            expires: at + Self.minute
        )
    }

    private func wish(
        _ user: RecipientID,
        in pipeline: PipelineNumber,
        app: String? = nil,
        device: String = "phone",
        now: DueTime = .noon + 1
    ) -> PendingWish {
        PendingWish(pipeline: pipeline, app: app, deviceID: device, user: user, mostTries: 2, now: now)
    }

    @Test("come back as they were, after a restart too", arguments: LedgerKind.allCases)
    func kept(kind: LedgerKind) async throws {
        let place = try LedgerPlace(kind)
        var ledger = try place.open()
        let bank = try ledger.pipeline(named: "bank")
        let new = pending("Anna", in: bank)
        try await ledger.keep(new)
        ledger.close()
        ledger = try place.open()
        defer { ledger.close() }
        guard case .pending(let found) = try await ledger.takeTry(wish("anna", in: bank)) else {
            Issue.record("it is gone")
            return
        }
        #expect(found.registration == new.registration)
        #expect(found.codeSeal == nil)
        #expect(try await ledger.takeTry(wish("boris", in: bank)) == .nothing)
        #expect(try await ledger.takeTry(wish("anna", in: bank, device: "other")) == .nothing)
        #expect(try await ledger.takeTry(wish("anna", in: bank, app: "business")) == .nothing)
        #expect(try await ledger.takeTry(wish("anna", in: try ledger.pipeline(named: "other"))) == .nothing)
    }

    @Test("have so many tries, and get back what nobody looked at", arguments: LedgerKind.allCases)
    func tries(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            try await ledger.keep(pending("anna", in: bank))
            guard case .pending(let first) = try await ledger.takeTry(wish("anna", in: bank)) else {
                Issue.record("it is gone")
                return
            }
            try await ledger.giveBackTry(first.sequence)
            for _ in 0..<2 {
                guard case .pending = try await ledger.takeTry(wish("anna", in: bank)) else {
                    Issue.record("there are two tries")
                    return
                }
            }
            #expect(try await ledger.takeTry(wish("anna", in: bank)) == .usedUp(until: .noon + Self.minute))
            try await ledger.keep(pending("anna", in: bank, at: .noon + 5))
            guard case .pending = try await ledger.takeTry(wish("anna", in: bank)) else {
                Issue.record("a new code has new tries")
                return
            }
        }
    }

    @Test("end with their time", arguments: LedgerKind.allCases)
    func expiry(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            try await ledger.keep(pending("anna", in: bank))
            #expect(try await ledger.takeTry(wish("anna", in: bank, now: .noon + Self.minute)) == .nothing)
            guard case .pending = try await ledger.takeTry(wish("anna", in: bank, now: .noon + Self.minute - 1)) else {
                Issue.record("its time is not over")
                return
            }
            try await ledger.keep(pending("boris", in: bank, at: .noon + 2 * Self.minute))
            #expect(try await ledger.takeTry(wish("anna", in: bank)) == .nothing)
        }
    }

    @Test("are of one app each, and the newest counts where none is named", arguments: LedgerKind.allCases)
    func apps(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            try await ledger.keep(pending("anna", in: bank))
            try await ledger.keep(pending("anna", in: bank, app: "business"))
            for (wanted, app) in [(nil, "business"), ("retail", "retail")] {
                guard case .pending(let found) = try await ledger.takeTry(wish("anna", in: bank, app: wanted)) else {
                    Issue.record("it is gone")
                    return
                }
                #expect(found.registration.app == app)
            }
        }
    }

    @Test("become a subscription once, in place of who had the device", arguments: LedgerKind.allCases)
    func confirmed(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            try await ledger.subscribe(.sample("boris", in: bank, device: "phone", token: "aa"))
            try await ledger.keep(pending("anna", in: bank))
            #expect(try await ledger.areSubscribed(["boris", "anna"], in: bank) == [true, false])
            guard case .pending(let found) = try await ledger.takeTry(wish("anna", in: bank)) else {
                Issue.record("it is gone")
                return
            }
            let new = NewSubscription(
                pipeline: bank,
                registration: found.registration,
                subscriber: "s",
                secretHash: [1],
                at: .noon
            )
            #expect(try await ledger.subscribe(new, confirming: found.sequence) == 1)
            #expect(try await ledger.areSubscribed(["boris", "anna"], in: bank) == [false, true])
            #expect(try await ledger.subscribe(new, confirming: found.sequence) == nil)
            #expect(try await ledger.subscriptions(of: ["anna"], in: bank)[0].count == 1)
            #expect(try await ledger.takeTry(wish("anna", in: bank)) == .nothing)
        }
    }
}

extension VerificationLedger {
    private func answer<Value: Sendable>(_ call: (@escaping Completion<Value>) -> Void) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            call { continuation.resume(with: $0) }
        }
    }

    func keep(_ pending: NewPendingRegistration) async throws {
        try await answer { keep(pending, completion: $0) }
    }

    func takeTry(_ wish: PendingWish) async throws -> PendingTry {
        try await answer { takeTry(wish, completion: $0) }
    }

    func giveBackTry(_ pending: Int64) async throws {
        try await answer { giveBackTry(pending, completion: $0) }
    }

    func subscribe(_ subscription: NewSubscription, confirming pending: Int64) async throws -> Int? {
        try await answer { subscribe(subscription, confirming: pending, completion: $0) }
    }
}
