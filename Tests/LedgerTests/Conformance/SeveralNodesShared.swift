// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Several nodes share what is not a delivery", .timeLimit(.minutes(1)))
struct SeveralNodesShared {
    /// Has nodes take a duty, one after the other; says which of them got it.
    private static func take(_ duty: Duty, _ cluster: Cluster, _ nodes: Int...) async throws -> [Bool] {
        var taken: [Bool] = []
        for node in nodes {
            taken.append(try await cluster.nodes[node].answer { cluster.nodes[node].take(duty, completion: $0) })
        }
        return taken
    }

    @Test("A duty is one node's until its lease is over", arguments: LedgerKind.ofSeveralNodes)
    func duties(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            for duty in [Duty.retention, .upkeep(cluster.bank)] {
                let taken = try await Self.take(duty, cluster, 0, 1, 0)
                #expect(taken == [true, false, true])
            }
            cluster.place.sleep(cluster.nodes[0])
            cluster.place.outwait()
            #expect(try await Self.take(.retention, cluster, 0, 1, 2) == [false, true, false])
            cluster.nodes[1].close()
            #expect(try await Self.take(.retention, cluster, 2) == [true])
        }
    }

    @Test("The callbacks of a link are one node's to tell", arguments: LedgerKind.ofSeveralNodes)
    func callbacks(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            let nodes = cluster.nodes
            let link = try nodes[0].declare([LinkDeclaration(label: "soap", events: [.failed])], in: cluster.bank)[0]
            let delivery = try await cluster.accept(at: 2)
            try await nodes[2].settle(
                Settlement(delivery: delivery, status: .sendingFailed, at: .noon, attempts: 1)
            )
            let call = try #require(try await nodes[0].dueCallbacks(link, now: .noon).calls.first)
            let others = try await nodes[1].dueCallbacks(link, now: .noon)
            #expect(others.calls.isEmpty)
            #expect(others.nextDue != nil)
            let told = CallbackSettlement(line: call.line, callbacks: call.callbacks, end: .told, at: .noon)
            let held: [Bool] = try await nodes[1].answer { nodes[1].settleCallbacks([told], completion: $0) }
            #expect(held == [false])
            nodes[0].close()
            #expect(try await nodes[1].dueCallbacks(link, now: .noon).calls == [call])
            try await nodes[1].settle(call, .told)
            #expect(try await nodes[1].dueCallbacks(link, now: .distantFuture).calls.isEmpty)
        }
    }

    @Test("A receipt at any node closes the delivery, and its owner hears of it", arguments: LedgerKind.ofSeveralNodes)
    func receipt(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            let delivery = try await cluster.accept(fallback: .noon + 5_000)
            let receipt = NewReceipt(
                pipeline: cluster.bank,
                delivery: delivery,
                subscription: 1,
                event: .delivered,
                at: .noon
            )
            #expect(try await cluster.nodes[1].receive(receipt) == .ended)
            #expect(try await cluster.nodes[0].intend(Cluster.intent(delivery)) == [false])
            #expect(cluster.sinks[0].words == ["accepted n1", "closed \(delivery)"])
            #expect(cluster.sinks[1].words == ["closed \(delivery)"])
        }
    }

    @Test("What an operator does at one node all hear, in one order", arguments: LedgerKind.ofSeveralNodes)
    func operators(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for turn in 0..<60 {
                    let node = cluster.nodes[turn % 3]
                    group.addTask {
                        try await node.answer {
                            node.setPause(true, of: "c\(turn)", in: cluster.bank, at: .noon, completion: $0)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await cluster.nodes[0].apply(.release, of: "fcm", in: cluster.bank)
            // Each node has heard what was committed before an answer of its own.
            for node in cluster.nodes { _ = try await node.areSubscribed(["anna"], in: cluster.bank) }
            let words = cluster.sinks.map(\.words)
            #expect(words[0].count == 61)
            #expect(words[0].last == "judged fcm")
            #expect(words[1] == words[0])
            #expect(words[2] == words[0])
            let paused = try await cluster.nodes[2].answer { cluster.nodes[2].pauses(in: cluster.bank, completion: $0) }
            #expect(paused.count == 60)
        }
    }

    @Test("What a bank is to hear wakes all, and what is accepted only its owner", arguments: LedgerKind.ofSeveralNodes)
    func woken(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            _ = try cluster.nodes[0].declare([LinkDeclaration(label: "soap", events: [.failed])], in: cluster.bank)
            let delivery = try await cluster.accept(at: 1)
            try await cluster.nodes[1].settle(
                Settlement(delivery: delivery, status: .sendingFailed, at: .noon, attempts: 1)
            )
            for node in cluster.nodes { _ = try await node.areSubscribed(["anna"], in: cluster.bank) }
            #expect(cluster.sinks.map(\.words) == [["callbacks"], ["accepted n1", "callbacks"], ["callbacks"]])
        }
    }

    @Test("What may be used once, or so often, may be so on all together", arguments: LedgerKind.ofSeveralNodes)
    func limits(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            let key = HashedKey([7])
            #expect(try await cluster.nodes[0].use(key, until: .noon + 1_000) == .firstAndKept)
            #expect(try await cluster.nodes[1].use(key, until: .noon + 1_000) == .again)
            let twice = Allowance(limit: 2, window: 1_000)
            var verdicts: [CountVerdict] = []
            for node in cluster.nodes {
                verdicts.append(try await node.answer { node.count(key, twice, completion: $0) })
            }
            #expect(verdicts == [.counted, .counted, .exceeded(retryAfter: 1_000)])
        }
    }
}
