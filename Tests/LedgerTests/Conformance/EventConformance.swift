// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger tells what happens in a pipeline to whoever watches it", .timeLimit(.minutes(1)))
struct EventConformance {
    private static func with(
        _ kind: LedgerKind,
        _ body: (any Ledger, PipelineNumber, RecordingSink) async throws -> Void
    ) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let sinks = [RecordingSink(), RecordingSink()]
            ledger.watch(try ledger.pipeline(named: "other"), sinks[1])
            ledger.watch(bank, sinks[0])
            try await body(ledger, bank, sinks[0])
            #expect(sinks[1].events.isEmpty)
        }
    }

    @Test("That an operator stopped something", arguments: LedgerKind.allCases)
    func paused(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, sink in
            for isPaused in [true, false] {
                try await ledger.answer {
                    ledger.setPause(isPaused, of: "fcm", in: bank, at: .noon, completion: $0)
                }
            }
            #expect(sink.words == ["paused fcm true", "paused fcm false"])
        }
    }

    @Test("That an operator judged a channel's verdicts, and not that its guard did", arguments: LedgerKind.allCases)
    func judged(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, sink in
            for step in [InvalidTokenStep.doubt, .trust, .release, .confirm] {
                try await ledger.apply(step, of: "fcm", in: bank)
            }
            #expect(sink.words == ["judged fcm", "judged fcm"])
        }
    }

    @Test("That a phone's receipt closed a delivery, and not that it came", arguments: LedgerKind.allCases)
    func closed(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, sink in
            try await ledger.subscribe(.sample("anna", in: bank))
            let waiting = try firstDelivery(
                try await ledger.accept(.sample("n1", in: bank, type: .pinCode, fallback: .noon))
            )
            let plain = try firstDelivery(try await ledger.accept(.sample("n2", in: bank)))
            for delivery in [plain, waiting, waiting] {
                _ = try await ledger.receive(
                    NewReceipt(pipeline: bank, delivery: delivery, subscription: 1, event: .delivered, at: .noon)
                )
            }
            #expect(sink.words == ["accepted n1", "accepted n2", "closed \(waiting)"])
        }
    }

    @Test("That a refused text message is to be tried again", arguments: LedgerKind.allCases)
    func reopened(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, sink in
            try await ledger.subscribe(.sample("anna", in: bank))
            let delivery = try firstDelivery(
                try await ledger.accept(.sample("n1", in: bank, type: .pinCode, fallback: .noon))
            )
            var settlement = Settlement(delivery: delivery, status: .queued, at: .noon, nextAttempt: .noon, attempts: 1)
            settlement.sms = .called
            #expect(try await ledger.intend(settlement) == [true])
            settlement.status = .sendingFailed
            settlement.nextAttempt = nil
            settlement.sms = .failed
            settlement.notes = [.refused(channel: "sms", reason: "no")]
            try await ledger.settle(settlement)
            let letter = try #require(try await ledger.deadLetters().first)
            #expect(try await ledger.replayDeadLetter(letter.number, at: .noon + 1))
            #expect(try await ledger.replayDeadLetter(letter.number, at: .noon + 1) == false)
            #expect(sink.words == ["accepted n1", "reopened sms"])
        }
    }

    @Test("Nothing after it was told that nobody watches", arguments: LedgerKind.allCases)
    func unwatched(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, sink in
            ledger.watch(bank, nil)
            _ = try await ledger.accept(.sample("n1", in: bank))
            #expect(sink.words.isEmpty)
        }
    }
}

extension RecordingSink {
    /// What was told, in words.
    var words: [String] {
        events.flatMap { event in
            switch event {
            case .accepted(let notifications):
                notifications.map { "accepted \($0.acceptance.notification.id)" }
            case .waiting(let lane, let change): ["waiting \(lane) \(change)"]
            case .closed(let delivery): ["closed \(delivery)"]
            case .reopened(let channel): ["reopened \(channel)"]
            case .callbacks: ["callbacks"]
            case .paused(let item, let isPaused): ["paused \(item) \(isPaused)"]
            case .judged(let channel): ["judged \(channel)"]
            case .reclaimed: ["reclaimed"]
            }
        }
    }
}
