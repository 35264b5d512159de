// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Synchronization
import Testing

@Suite("Any ledger keeps notifications", .timeLimit(.minutes(1)))
struct AcceptanceConformance {
    @Test("What was accepted can be read back", arguments: LedgerKind.allCases)
    func readBack(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            var notification = Acceptance.sample("n1", in: bank).notification
            notification.details = PushDetails(
                name: "Credit",
                tags: [.init(key: "phone", value: "1"), .init(key: "empty", value: nil)],
                amount: .init(currency: "BYN", fxAmount: -1)
            )
            notification.collapseID = "c"
            let acceptance = Acceptance(
                pipeline: bank,
                notification: notification,
                at: .noon,
                due: .noon,
                deliveries: [NewDelivery(recipient: "anna", spellings: ["anna"], isOpen: true)]
            )
            guard case .accepted = try await ledger.accept(acceptance) else { throw NotAccepted() }
            #expect(try await ledger.notification("n1", in: bank) == notification)
            #expect(try await ledger.notification("n2", in: bank) == nil)
            #expect(try await ledger.statuses(of: "n2", in: bank) == nil)
        }
    }

    @Test("An id is taken once in a pipeline, and free in another", arguments: LedgerKind.allCases)
    func duplicates(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let other = try ledger.pipeline(named: "other")
            _ = try firstDelivery(try await ledger.accept(.sample("n1", in: bank, to: ["anna"])))
            #expect(try await ledger.accept(.sample("n1", in: bank, to: ["boris"])) == .duplicate)
            _ = try firstDelivery(try await ledger.accept(.sample("n1", in: other, to: ["boris"])))
            #expect(try await ledger.statuses(of: "n1", in: bank)?.map(\.recipient) == ["anna"])
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 1)
        }
    }

    @Test(
        "Ids are bytes: what only looks alike is another id",
        arguments: LedgerKind.allCases,
        [
            ("é", "e\u{301}"), ("a", "A"), ("a", "a\0"), ("", "\0"),
            ("0b8e5a6e-5b0a-4b5c-8f5a-1c2d3e4f5a6b", "0B8E5A6E-5B0A-4B5C-8F5A-1C2D3E4F5A6B"),
        ]
    )
    func bytes(kind: LedgerKind, ids: (String, String)) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            for id in [ids.0, ids.1] {
                _ = try firstDelivery(
                    try await ledger.accept(.sample(NotificationID(id), in: bank, to: [RecipientID(id)]))
                )
            }
            for id in [ids.0, ids.1] {
                #expect(try await ledger.notification(NotificationID(id), in: bank)?.id == NotificationID(id))
                let statuses = try await ledger.statuses(of: NotificationID(id), in: bank)
                #expect(statuses == [RecipientStatus(RecipientID(id), .queued)])
            }
        }
    }

    @Test("Statuses name every spelling, and who has no device", arguments: LedgerKind.allCases)
    func spellings(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let acceptance = Acceptance(
                pipeline: bank,
                notification: Acceptance.sample("n1", in: bank).notification,
                at: .noon,
                due: .noon,
                deliveries: [
                    NewDelivery(recipient: "anna", spellings: ["Anna", "ANNA"], isOpen: true),
                    NewDelivery(recipient: "boris", spellings: ["boris"], isOpen: false),
                ]
            )
            _ = try await ledger.accept(acceptance)
            #expect(
                try await ledger.statuses(of: "n1", in: bank) == [
                    RecipientStatus("Anna", .queued), RecipientStatus("ANNA", .queued),
                    RecipientStatus("boris", .invalidSubscription),
                ]
            )
            let recipients = try #require(try await ledger.notification("n1", in: bank)).recipients
            #expect(recipients.map(\.spelling) == ["Anna", "ANNA", "boris"])
            #expect(recipients.map(\.id) == ["anna", "anna", "boris"])
            #expect(try await ledger.depth(bank) == [.urgent(bank): 0, .bulk(bank): 1])
        }
    }

    @Test("Whether there is a device is looked up with the acceptance", arguments: LedgerKind.allCases)
    func lookUp(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let other = try ledger.pipeline(named: "other")
            try await ledger.subscribe(.sample("anna", in: bank))
            try await ledger.subscribe(.sample("clara", in: other))
            func accept(_ id: NotificationID, isDemanding: Bool = false) async throws -> AcceptanceResult {
                var notification = Acceptance.sample(id, in: bank, to: ["boris", "anna", "clara"]).notification
                notification.requiresKnownRecipients = isDemanding
                return try await ledger.accept(
                    Acceptance(
                        pipeline: bank,
                        notification: notification,
                        at: .noon,
                        due: .noon,
                        deliveries: notification.recipients.map {
                            NewDelivery(recipient: $0.id, spellings: [$0.spelling])
                        }
                    )
                )
            }
            guard case .accepted(_, let first, let closed) = try await accept("n1") else { throw NotAccepted() }
            #expect(closed == [0, 2])
            #expect(try await ledger.due(.bulk(bank), now: .noon).map(\.sequence) == [first + 1])
            #expect(
                try await ledger.statuses(of: "n1", in: bank)?.map(\.status) == [
                    .invalidSubscription, .queued, .invalidSubscription,
                ]
            )
            #expect(try await accept("n2", isDemanding: true) == .unknownRecipient)
            #expect(try await ledger.notification("n2", in: bank) == nil)
            #expect(try await ledger.endAll(of: "anna", in: bank) == 1)
            guard case .accepted(_, _, let later) = try await accept("n3") else { throw NotAccepted() }
            #expect(later == [0, 1, 2])
        }
    }

    @Test("Whoever works on what is accepted hears of it before the caller", arguments: LedgerKind.allCases)
    func sink(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let banks = [try ledger.pipeline(named: "bank"), try ledger.pipeline(named: "other")]
            let sinks = [RecordingSink(), RecordingSink()]
            for (bank, sink) in zip(banks, sinks) { ledger.watch(bank, sink) }
            let known = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    let (bank, sink) = (banks[number % 2], sinks[number % 2])
                    let id = NotificationID("n\(number / 4)")
                    group.addTask {
                        let result = try await ledger.accept(.sample(id, in: bank))
                        guard case .accepted(let sequence, let first, _) = result else { return false }
                        let told = sink.accepted.filter { $0.sequence == sequence }
                        return told.count == 1 && told[0].firstDelivery == first
                            && told[0].acceptance.notification.id == id
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(known == 100)
            #expect(sinks.map(\.accepted.count) == [50, 50])
        }
    }

    @Test("Deliveries have consecutive numbers", arguments: LedgerKind.allCases, [1, 999, 1_000, 2_500])
    func numbers(kind: LedgerKind, count: Int) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let users = (0..<count).map { RecipientID("user\($0)") }
            let first = try firstDelivery(try await ledger.accept(.sample("n1", in: bank, to: users)))
            let next = try firstDelivery(try await ledger.accept(.sample("n2", in: bank, to: users)))
            #expect(next >= first + Int64(count))
            #expect(try await ledger.statuses(of: "n1", in: bank)?.map(\.recipient) == users)
        }
    }

    @Test("Many threads, half of the ids used twice: exactly those are duplicates", arguments: LedgerKind.allCases)
    func concurrency(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let results = try await withThrowingTaskGroup(of: AcceptanceResult.self) { group in
                for number in 0..<2_000 {
                    group.addTask { try await ledger.accept(.sample(NotificationID("n\(number % 1_000)"), in: bank)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count { $0 == .duplicate } == 1_000)
            #expect(Set(results.compactMap { try? firstDelivery($0) }).count == 1_000)
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 1_000)
        }
    }
}
