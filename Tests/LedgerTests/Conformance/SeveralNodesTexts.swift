// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Several nodes send a PIN code's text message once", .timeLimit(.minutes(1)))
struct SeveralNodesTexts {
    @Test(
        "A gateway that a node was asking when it ended is never asked again, and a late report settles it",
        arguments: LedgerKind.ofSeveralNodes
    )
    func unknown(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            let wants = LinkDeclaration(label: "soap", events: [.failed, .delivered, .expired])
            let link = try cluster.nodes[1].declare([wants], in: cluster.bank)[0]
            let delivery = try await cluster.accept(fallback: .noon)
            #expect(try await cluster.nodes[0].intend(Cluster.intent(delivery)) == [true])
            cluster.place.kill(cluster.nodes[0])
            cluster.place.outwait()
            #expect(try await cluster.reclaim(1) == 1)
            #expect(try await cluster.due(1, .urgent).isEmpty)
            #expect(try await cluster.statuses() == [.sent])
            let steps = try await cluster.nodes[1].timeline(of: "n1", in: cluster.bank) ?? []
            #expect(steps.filter { $0.event == "unknown" }.map(\.channel) == ["sms"])
            #expect(try await cluster.nodes[1].intend(Cluster.intent(delivery)) == [false])
            #expect(try await cluster.nodes[1].dueCallbacks(link, now: .distantFuture).calls.isEmpty)
            let report = NewGatewayReport(pipeline: cluster.bank, delivery: delivery, fate: .delivered, at: .noon + 9)
            #expect(try await cluster.nodes[2].receive(report) == true)
            #expect(try await cluster.statuses() == [.delivered])
        }
    }

    @Test("One that waits to be sent goes on where another node left it", arguments: LedgerKind.ofSeveralNodes)
    func waiting(kind: LedgerKind) async throws {
        try await Cluster.with(kind) { cluster in
            let delivery = try await cluster.accept(fallback: .noon + 5_000)
            var later = Settlement(delivery: delivery, status: .queued, at: .noon, nextAttempt: .noon, attempts: 1)
            later.sms = .due
            later.phone = "+375290000001"
            later.finishedDevices = [4, 2]
            try await cluster.nodes[0].settle(later)
            cluster.nodes[0].close()
            #expect(try await cluster.reclaim(1) == 1)
            let found = try #require(
                try await cluster.nodes[1].due(.urgent(cluster.bank), now: .noon).first
            )
            #expect(found.sms == .due)
            #expect(found.phone == "+375290000001")
            #expect(found.fallback == .noon + 5_000)
            #expect(found.finishedDevices == [2, 4])
            #expect(try await cluster.nodes[1].intend(Cluster.intent(delivery)) == [true])
        }
    }

    /// Nodes that are killed, sleep and wake at random moments, and take over from each other.
    @Test("Whoever ends whenever: no gateway is asked twice, and all comes to an end", arguments: 0..<40)
    func chaos(seed: Int) async throws {
        for kind in LedgerKind.ofSeveralNodes {
            var chance = Chance(UInt64(seed))
            let place = try LedgerPlace(kind)
            var nodes = try (1...3).map { try place.open(node: $0) }
            let bank = try nodes[0].pipeline(named: "bank")
            for number in 0..<30 {
                let sample = Acceptance.sample(
                    NotificationID("n\(number)"),
                    in: bank,
                    type: .pinCode,
                    fallback: .noon
                )
                _ = try await nodes[number % 3].accept(sample)
            }
            var asked: [Int64: Int] = [:]
            for turn in 0..<400 {
                let index = chance.below(3)
                switch turn < 300 ? chance.below(8) : 7 {
                case 0:
                    place.kill(nodes[index])
                    nodes[index] = try place.open(node: Int64(index + 1))
                case 1: place.sleep(nodes[index], chance.below(2) == 0)
                case 2: place.clocks.pass(Int64(chance.below(8_000)))
                case 3: _ = try await nodes[index].answer { nodes[index].reclaim(bank, limit: 4, completion: $0) }
                default:
                    if turn >= 300 {
                        place.outwait()
                        nodes[index].close()
                        nodes[index] = try place.open(node: Int64(index + 1))
                        try await nodes[index].reclaimAll(bank)
                    }
                    try await work(nodes[index], bank, &chance, &asked)
                }
            }
            #expect(asked.values.allSatisfy { $0 == 1 })
            for number in 0..<30 {
                let statuses = try await nodes[0].statuses(of: NotificationID("n\(number)"), in: bank)
                #expect(statuses?.map(\.status) == [.sent])
            }
            for node in nodes { node.close() }
        }
    }

    /// What a dispatcher does with a page: it says that it asks, asks, and says what became of it, or dies meanwhile.
    private func work(
        _ node: any Ledger,
        _ bank: PipelineNumber,
        _ chance: inout Chance,
        _ asked: inout [Int64: Int]
    ) async throws {
        for delivery in try await node.due(.urgent(bank), now: .noon, limit: 2) where delivery.sms != .called {
            guard try await node.intend(Cluster.intent(delivery.sequence)) == [true] else { continue }
            asked[delivery.sequence, default: 0] += 1
            guard chance.below(3) > 0 else { continue }
            var sent = Cluster.sent(delivery.sequence)
            sent.sms = .taken
            try await node.settle(sent)
        }
    }
}

/// Random numbers that are the same for the same seed.
private struct Chance {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

    mutating func below(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }
}
