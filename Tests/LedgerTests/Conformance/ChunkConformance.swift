// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger keeps large notifications in chunks", .timeLimit(.minutes(1)))
struct ChunkConformance {
    /// In the order of their bytes, which is that of their deliveries.
    private static let users = (0..<2_500).map { RecipientID("user\(10_000 + $0)") }

    private static func with(
        _ kind: LedgerKind,
        _ body: (any Ledger, PipelineNumber, RecordingSink) async throws -> Void
    ) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let sink = RecordingSink()
            ledger.watch(bank, sink)
            try await body(ledger, bank, sink)
        }
    }

    private static func large(
        _ id: NotificationID,
        in bank: PipelineNumber,
        closed: Set<Int> = [],
        timeout: Int = 3_600,
        priority: Int = 5,
        dropReason: String? = nil
    ) -> Acceptance {
        let sample = Acceptance.sample(id, in: bank, to: users, timeout: timeout, priority: priority)
        return Acceptance(
            pipeline: bank,
            notification: sample.notification,
            at: .noon,
            due: DueTime(milliseconds: WallTime.noon.milliseconds),
            deliveries: users.enumerated().map { place, user in
                NewDelivery(recipient: user, spellings: [user], isOpen: !closed.contains(place))
            },
            dropReason: dropReason
        )
    }

    @Test("Nothing is a delivery at first, then a thousand at a time, each once", arguments: LedgerKind.withChunks)
    func expands(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, sink in
            let result = try await ledger.accept(Self.large("n1", in: bank, closed: [0, 1_700]))
            guard case .accepted(_, let first, let closed) = result else { throw NotAccepted() }
            #expect(closed == [0, 1_700])
            #expect(try await ledger.due(.bulk(bank), now: .noon).isEmpty)
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 2_498)
            #expect(try await ledger.statuses(of: "n1", in: bank)?.map(\.recipient) == Self.users)
            #expect(
                try await ledger.statuses(of: "n1", in: bank)?.filter { $0.status == .invalidSubscription }.count == 2
            )
            #expect(try await ledger.accept(Self.large("n1", in: bank)) == .duplicate)
            var steps: [Expansion] = []
            for room in [0, 300, 1_000, 1_000, 1_000] {
                steps.append(try await ledger.expand(.bulk(bank), room: room))
                #expect(try await ledger.depth(bank)[.bulk(bank)] == 2_498)
                #expect(try await ledger.statuses(of: "n1", in: bank)?.map(\.recipient) == Self.users)
            }
            #expect(steps.map(\.made) == [0, 300, 700, 1_000, 500])
            #expect(steps.map(\.isMore) == [true, true, true, true, false])
            let told = sink.accepted.flatMap { part in
                part.acceptance.deliveries.indices.filter { !part.closed.contains($0) }
                    .map { part.firstDelivery + Int64($0) }
            }
            #expect(told == (0..<2_500).filter { $0 != 0 && $0 != 1_700 }.map { first + $0 })
            #expect(try await ledger.due(.bulk(bank), now: .noon, limit: 5_000).map(\.sequence) == told)
            let progress = try await ledger.progress(of: "n1", in: bank)
            #expect(progress?.made == [.queued: 2_498, .invalidSubscription: 2])
            #expect(try await ledger.expand(.bulk(bank)) == Expansion(made: 0, isMore: false))
        }
    }

    @Test("Whether there is something to do is looked up where nobody did", arguments: LedgerKind.withChunks)
    func lookedUp(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, _ in
            try await ledger.subscribe(.sample(Self.users[3], in: bank))
            func accept(_ id: NotificationID, isDemanding: Bool) async throws -> AcceptanceResult {
                var notification = Acceptance.sample(id, in: bank, to: Self.users).notification
                notification.requiresKnownRecipients = isDemanding
                return try await ledger.accept(
                    Acceptance(
                        pipeline: bank,
                        notification: notification,
                        at: .noon,
                        due: .noon,
                        deliveries: Self.users.map { NewDelivery(recipient: $0, spellings: [$0]) }
                    )
                )
            }
            #expect(try await accept("n1", isDemanding: true) == .unknownRecipient)
            guard case .accepted(_, _, let closed) = try await accept("n2", isDemanding: false) else {
                throw NotAccepted()
            }
            #expect(closed == [0, 1, 2] + Array(4..<2_500))
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 1)
        }
    }

    @Test("A restart at any place loses nothing and makes nothing twice", arguments: LedgerKind.withChunks)
    func restart(kind: LedgerKind) async throws {
        let place = try LedgerPlace(kind)
        var made: [Int64] = []
        var first: Int64 = 0
        var isMore = true
        for round in 0..<6 {
            let ledger = try place.open()
            defer { ledger.close() }
            let bank = try ledger.pipeline(named: "bank")
            let sink = RecordingSink()
            ledger.watch(bank, sink)
            if round == 0 { first = try firstDelivery(try await ledger.accept(Self.large("n1", in: bank))) }
            let other = try firstDelivery(try await ledger.accept(.sample(NotificationID("other\(round)"), in: bank)))
            #expect(other >= first + 2_500, "numbers are taken although there is no row")
            isMore = try await ledger.expand(.bulk(bank), room: 501).isMore
            made += sink.accepted.filter(\.wasWaiting).flatMap { part in
                part.acceptance.deliveries.indices.map { part.firstDelivery + Int64($0) }
            }
        }
        #expect(!isMore)
        #expect(made == (0..<2_500).map { first + $0 })
        #expect(try place.integrity() == "ok")
        #expect(try place.count("SELECT count(*) FROM chunk") == 0)
    }

    @Test(
        "What comes later to the same recipient comes behind, and is no further delivery",
        arguments: LedgerKind.withChunks
    )
    func order(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, sink in
            let first = try firstDelivery(try await ledger.accept(Self.large("n1", in: bank, closed: [7])))
            try await ledger.expand(.bulk(bank), room: 10)
            try await ledger.subscribe(.sample(Self.users[2_000], in: bank, subscriber: "s"))
            #expect(try await ledger.receiver("s", of: "n1", in: bank)?.delivery == nil)
            let later = [Self.users[5], Self.users[7], Self.users[2_000], "nobody"]
            _ = try await ledger.accept(.sample("n2", in: bank, to: later))
            _ = try await ledger.accept(.sample("n3", in: bank, to: [Self.users[2_000]]))
            _ = try await ledger.accept(.sample("n4", in: bank, to: [Self.users[2_001]], priority: 7))
            let told = sink.accepted.map { "\($0.acceptance.notification.id) \($0.firstDelivery - first)" }
            #expect(told == ["n1 0", "n1 2000", "n2 2500", "n3 2504", "n4 2505"])
            #expect(try await ledger.receiver("s", of: "n1", in: bank)?.delivery == first + 2_000)
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 2_499 + 6)
            #expect(try await ledger.statuses(of: "n1", in: bank)?.map(\.recipient) == Self.users)
            #expect(
                try await ledger.timeline(of: "n1", in: bank, limit: 5_000)?.count { $0.event == "accepted" } == 2_500
            )
            try await ledger.settle(Settlement(delivery: first + 2_000, status: .sent, at: .noon, attempts: 1))
            try await ledger.expandAll(.bulk(bank))
            let open = sink.accepted.filter { $0.acceptance.notification.id == "n1" }
                .map { $0.acceptance.deliveries.count - $0.closed.count }
            #expect(open.reduce(0, +) == 2_499, "each once")
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 2_498 + 6)
            #expect(try await ledger.progress(of: "n1", in: bank)?.made[.sent] == 1)
        }
    }

    @Test(
        "The higher priority goes first, then the older; lanes have nothing to do with each other",
        arguments: LedgerKind.withChunks
    )
    func priorities(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, sink in
            for (id, priority) in [("low", 1), ("old", 5), ("new", 5), ("urgent", 9)] {
                _ = try await ledger.accept(Self.large(NotificationID(id), in: bank, priority: priority))
            }
            #expect(try await ledger.depth(bank) == [.bulk(bank): 7_500, .urgent(bank): 2_500])
            try await ledger.expandAll(.bulk(bank))
            #expect(
                sink.accepted.map(\.acceptance.notification.id) == [
                    "old", "old", "old", "new", "new", "new", "low", "low", "low",
                ]
            )
            #expect(try await ledger.expandAll(.urgent(bank)) == 2_500)
        }
    }

    @Test("What was cancelled ends without room, and the bank hears", arguments: LedgerKind.withChunks)
    func cancelled(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, sink in
            let link = try ledger.declare([LinkDeclaration(label: "soap", events: [.failed])], in: bank)[0]
            _ = try await ledger.accept(Self.large("n1", in: bank, closed: [2_400]))
            try await ledger.expand(.bulk(bank), room: 1_000)
            #expect(try await ledger.cancel("n1", in: bank, at: .noon + 5) == 1_499)
            #expect(try await ledger.cancel("n1", in: bank, at: .noon + 6) == 0)
            #expect(try await ledger.cancel("other", in: bank, at: .noon) == nil)
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 1_000)
            #expect(
                try await ledger.statuses(of: "n1", in: bank)?.filter { $0.status == .sendingFailed }.count == 1_499
            )
            var steps = 0
            while try await ledger.expand(.bulk(bank), room: 0).isMore { steps += 1 }
            #expect(steps >= 3, "in pieces")
            let progress = try await ledger.progress(of: "n1", in: bank)
            #expect(progress?.made == [.queued: 1_000, .sendingFailed: 1_499, .invalidSubscription: 1])
            #expect(sink.accepted.reduce(0) { $0 + $1.acceptance.deliveries.count } == 1_000)
            let calls = try await ledger.dueCallbacks(link, now: .noon + 60_000, limit: 10).calls
            #expect(calls.first?.users.isEmpty == false)
            let timeline = try await ledger.timeline(of: "n1", in: bank, limit: 20_000)
            #expect(timeline?.contains { $0.recipient == Self.users[2_499] && $0.detail == "cancelled" } == true)
        }
    }

    @Test("What a stage dropped ends as a whole", arguments: LedgerKind.withChunks)
    func dropped(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, sink in
            _ = try await ledger.accept(Self.large("n1", in: bank, dropReason: "quiet hours"))
            #expect(try await ledger.depth(bank)[.bulk(bank)] == 0)
            #expect(try await ledger.statuses(of: "n1", in: bank)?.allSatisfy { $0.status == .sendingFailed } == true)
            while try await ledger.expand(.bulk(bank), room: 0).isMore {}
            #expect(sink.accepted.isEmpty)
            #expect(try await ledger.progress(of: "n1", in: bank)?.made == [.sendingFailed: 2_500])
        }
    }

    @Test("What expired becomes deliveries without room, and is swept", arguments: LedgerKind.withChunks)
    func expired(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, _ in
            _ = try await ledger.accept(Self.large("n1", in: bank, timeout: 10))
            // A sweep that is beyond it comes back.
            #expect(try await ledger.expired(bank, now: .noon + 60_000).isEmpty)
            #expect(try await ledger.expand(.bulk(bank), room: 0, now: .noon + 9_999).made == 0)
            #expect(try await ledger.expand(.bulk(bank), room: 0, now: .noon + 10_000).made == 1_000)
            #expect(try await ledger.expired(bank, now: .noon + 60_000, limit: 5_000).count == 1_000)
            #expect(try await ledger.expand(.bulk(bank), room: 0, now: .noon + 60_000).made == 1_000)
            #expect(try await ledger.expired(bank, now: .noon + 60_000, limit: 5_000).count == 2_000)
        }
    }

    @Test("Nothing is forgotten, erased or concluded while some of it waits", arguments: LedgerKind.withChunks)
    func kept(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, _ in
            let code = Acceptance.sample("code", in: bank, to: Self.users, timeout: 10, type: .pinCode)
            let first = try firstDelivery(try await ledger.accept(code))
            _ = try await ledger.accept(.sample("last", in: bank))
            try await ledger.expand(code.notification.isUrgent ? .urgent(bank) : .bulk(bank), room: 1)
            try await ledger.settle(Settlement(delivery: first, status: .read, at: .noon, attempts: 1, isSecret: true))
            #expect(try await ledger.conclude(bank, now: .noon + 60_000) == 0)
            #expect(try await ledger.forget(before: .distantFuture, from: RetentionPlace(), limit: 10_000) == nil)
            #expect(try await ledger.statuses(of: "code", in: bank)?.count == 2_500)
            #expect(try await ledger.notification("code", in: bank, now: .noon + 1)?.content.text.isEmpty == false)
        }
    }
}
