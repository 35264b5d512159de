// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

/// A place with three nodes and one pipeline, whose watchers write down what they hear.
struct Cluster {
    let place: LedgerPlace
    let nodes: [any Ledger]
    let sinks: [RecordingSink]
    let bank: PipelineNumber

    static func with(_ kind: LedgerKind, _ body: (Cluster) async throws -> Void) async throws {
        let place = try LedgerPlace(kind)
        let nodes = try (1...3).map { try place.open(node: $0) }
        defer { for node in nodes { node.close() } }
        let banks = try nodes.map { try $0.pipeline(named: "bank") }
        #expect(Set(banks).count == 1)
        let sinks = nodes.map { _ in RecordingSink() }
        for (node, sink) in zip(nodes, sinks) { node.watch(banks[0], sink) }
        try await body(Cluster(place: place, nodes: nodes, sinks: sinks, bank: banks[0]))
    }

    /// Accepts at a node; returns the number of the first delivery.
    @discardableResult
    func accept(
        _ id: NotificationID = "n1",
        at node: Int = 0,
        to users: [RecipientID] = ["anna"],
        fallback: DueTime? = nil
    ) async throws -> Int64 {
        let type: NotificationType = fallback == nil ? .universal : .pinCode
        return try firstDelivery(
            try await nodes[node].accept(.sample(id, in: bank, to: users, type: type, fallback: fallback))
        )
    }

    func reclaim(_ node: Int, limit: Int = 100) async throws -> Int {
        try await nodes[node].answer { nodes[node].reclaim(bank, limit: limit, completion: $0) }
    }

    /// Whom a node is to send to.
    func due(_ node: Int, _ lane: Queue.Lane = .bulk) async throws -> [RecipientID] {
        try await nodes[node].due(Queue(pipeline: bank, lane: lane), now: .distantFuture).map(\.recipient)
    }

    func statuses(_ id: NotificationID = "n1") async throws -> [DeliveryStatus] {
        try await nodes[2].statuses(of: id, in: bank)?.map(\.status) ?? []
    }

    func steps(_ id: NotificationID = "n1") async throws -> [String] {
        try await nodes[2].timeline(of: id, in: bank)?.map(\.event) ?? []
    }

    static func sent(_ delivery: Int64) -> Settlement {
        Settlement(delivery: delivery, status: .sent, at: .noon, attempts: 1)
    }

    static func intent(_ delivery: Int64) -> Settlement {
        Settlement(
            delivery: delivery,
            status: .queued,
            at: .noon,
            nextAttempt: .noon,
            attempts: 1,
            sms: .called,
            notes: [.fallback(channel: "sms", reason: "no device")]
        )
    }
}

@Suite("Several nodes never work on the same delivery", .timeLimit(.minutes(1)))
struct SeveralNodes {
    @Test("Who accepts it owns it: others neither find it nor can write of it", arguments: LedgerKind.ofSeveralNodes)
    func owned(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            let delivery = try await cluster.accept()
            #expect(try await cluster.due(0) == ["anna"])
            #expect(try await cluster.due(1).isEmpty)
            #expect(try await cluster.nodes[1].expired(cluster.bank, now: .distantFuture).isEmpty)
            #expect(try await cluster.nodes[1].settle(Cluster.sent(delivery)) == [false])
            #expect(try await cluster.nodes[1].intend(Cluster.intent(delivery)) == [false])
            #expect(try await cluster.reclaim(1) == 0)
            #expect(try await cluster.statuses() == [.queued])
            #expect(try await cluster.steps() == ["accepted"])
            #expect(try await cluster.nodes[0].settle(Cluster.sent(delivery)) == [true])
            #expect(try await cluster.statuses() == [.sent])
            #expect(try await cluster.nodes[1].accept(.sample("n1", in: cluster.bank)) == .duplicate)
        }
    }

    @Test("A batch says of each whether it held", arguments: LedgerKind.ofSeveralNodes)
    func each(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            let first = try await cluster.accept("n1", at: 0)
            let second = try await cluster.accept("n2", at: 1)
            let held = try await cluster.nodes[1].settle(Cluster.sent(first), Cluster.sent(second))
            #expect(held == [false, true])
            #expect(try await cluster.statuses("n1") == [.queued])
            #expect(try await cluster.statuses("n2") == [.sent])
        }
    }

    @Test(
        "What a node leaves is taken over page by page, and nobody else is told",
        arguments: LedgerKind.ofSeveralNodes
    )
    func reclaimed(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            let users = (0..<5).map { RecipientID("user\($0)") }
            let first = try await cluster.accept(to: users)
            cluster.nodes[0].close()
            #expect(try await cluster.nodes[1].depth(cluster.bank)[.bulk(cluster.bank)] == 5)
            var pages: [Int] = []
            for _ in 0..<4 { pages.append(try await cluster.reclaim(1, limit: 2)) }
            #expect(pages == [2, 2, 1, 0])
            #expect(try await cluster.due(1) == users)
            #expect(cluster.sinks[1].words == ["reclaimed", "reclaimed", "reclaimed"])
            #expect(cluster.sinks[2].words.isEmpty)
            #expect(try await cluster.nodes[1].settle(Cluster.sent(first)) == [true])
            #expect(try await cluster.reclaim(2) == 0)
        }
    }

    @Test("A node that ends without a word is missed when its lease is over", arguments: LedgerKind.ofSeveralNodes)
    func killed(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            try await cluster.accept()
            cluster.place.kill(cluster.nodes[0])
            cluster.place.clocks.pass(LeaseRule.lasts - 1)
            #expect(try await cluster.reclaim(1) == 0)
            cluster.place.clocks.pass(1)
            #expect(try await cluster.reclaim(1) == 1)
            #expect(try await cluster.due(1) == ["anna"])
        }
    }

    @Test(
        "A node that slept through its lease can do nothing more",
        arguments: LedgerKind.ofSeveralNodes,
        [true, false]
    )
    func slept(kind: LedgerKind, isReclaimed: Bool) async throws {
        try await Cluster.with(kind) { cluster in
            let sleeper = cluster.nodes[0]
            let delivery = try await cluster.accept("n1", fallback: .noon)
            cluster.place.sleep(sleeper)
            cluster.place.outwait()
            #expect(!sleeper.holdsLease)
            if isReclaimed { #expect(try await cluster.reclaim(1) == 1) }
            cluster.place.sleep(sleeper, false)
            #expect(!sleeper.holdsLease)
            #expect(try await cluster.due(0, .urgent).isEmpty)
            #expect(try await sleeper.settle(Cluster.sent(delivery)) == [false])
            #expect(try await sleeper.intend(Cluster.intent(delivery)) == [false])
            #expect(try await cluster.reclaim(0) == 0)
            await #expect(throws: LedgerError.self) { try await sleeper.accept(.sample("n2", in: cluster.bank)) }
            #expect(try await cluster.statuses("n2").isEmpty)
            #expect(try await cluster.steps() == ["accepted"])
            #expect(try await cluster.reclaim(1) == (isReclaimed ? 0 : 1))
            #expect(try await cluster.nodes[1].intend(Cluster.intent(delivery)) == [true])
        }
    }

    @Test("A node that wakes in time goes on", arguments: LedgerKind.ofSeveralNodes)
    func woke(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            let delivery = try await cluster.accept()
            cluster.place.sleep(cluster.nodes[0])
            cluster.place.clocks.pass(LeaseRule.lasts - 1)
            cluster.place.sleep(cluster.nodes[0], false)
            cluster.place.outwait()
            #expect(cluster.nodes[0].holdsLease)
            #expect(try await cluster.reclaim(1) == 0)
            #expect(try await cluster.nodes[0].settle(Cluster.sent(delivery)) == [true])
        }
    }

    @Test("The same node that comes again is another one", arguments: LedgerKind.ofSeveralNodes)
    func again(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            let delivery = try await cluster.accept()
            let again = try cluster.place.open(node: cluster.nodes[0].lease.node)
            defer { again.close() }
            #expect(again.lease.epoch > cluster.nodes[0].lease.epoch)
            #expect(!cluster.nodes[0].holdsLease)
            #expect(try await again.settle(Cluster.sent(delivery)) == [false])
            #expect(try await cluster.nodes[0].settle(Cluster.sent(delivery)) == [false])
            try await again.reclaimAll(cluster.bank)
            #expect(try await again.settle(Cluster.sent(delivery)) == [true])
        }
    }

    @Test("Of nodes that take over at once each gets others", arguments: LedgerKind.ofSeveralNodes)
    func race(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            let users = (0..<50).map { RecipientID("user\($0)") }
            try await cluster.accept(to: users)
            cluster.nodes[0].close()
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for turn in 0..<20 { group.addTask { try await cluster.reclaim(1 + turn % 2, limit: 7) } }
                return try await group.reduce(0, +)
            }
            #expect(counts == 50)
            let due = try await cluster.due(1) + cluster.due(2)
            #expect(due.sorted() == users.sorted())
        }
    }
}
