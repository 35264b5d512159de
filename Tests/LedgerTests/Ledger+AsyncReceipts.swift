// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import Testing

/// The calls around receipts and callbacks, to be awaited.
extension Ledger {
    func subscription(named name: String, in pipeline: PipelineNumber) async throws -> Subscription? {
        try await answer { subscription(named: name, in: pipeline, completion: $0) }
    }

    func receiver(
        _ subscriber: String,
        of id: NotificationID,
        in pipeline: PipelineNumber
    ) async throws -> Receiver? {
        try await answer { receiver(subscriber, of: id, in: pipeline, completion: $0) }
    }

    func receive(_ receipt: NewReceipt) async throws -> ReceiptResult {
        try await answer { receive(receipt, completion: $0) }.result
    }

    func receive(_ report: NewGatewayReport) async throws -> Bool {
        try await answer { receive(report, completion: $0) }.isKnown
    }

    func intend(_ intents: Settlement...) async throws -> [Bool] {
        try await answer { intend(intents, completion: $0) }
    }

    func details(ofDelivery delivery: Int64, now: WallTime = .noon) async throws -> PushDetails? {
        try await answer { details(ofDelivery: delivery, now: now, completion: $0) }
    }

    func note(_ event: NewAppEvent) async throws { try await answer { note(event, completion: $0) } }

    func timeline(
        of id: NotificationID,
        in pipeline: PipelineNumber,
        limit: Int = 1_000
    ) async throws -> [TimelineEvent]? {
        try await answer { timeline(of: id, in: pipeline, limit: limit, completion: $0) }
    }

    func forget(before: WallTime, from place: RetentionPlace, limit: Int) async throws -> RetentionPlace? {
        try await answer { forget(before: before, from: place, limit: limit, completion: $0) }
    }

    func keepLastSeen(_ pipeline: PipelineNumber, every interval: Int64) async throws {
        try await answer { keepLastSeen(pipeline, every: interval, completion: $0) }
    }

    func endSilent(_ pipeline: PipelineNumber, before: WallTime, limit: Int = 100) async throws -> Int {
        try await answer { endSilent(pipeline, before: before, limit: limit, completion: $0) }
    }

    func conclude(_ pipeline: PipelineNumber, now: WallTime, limit: Int = 100) async throws -> Int {
        try await answer { conclude(pipeline, now: now, limit: limit, completion: $0) }
    }

    func dueCallbacks(_ link: LinkNumber, now: DueTime, limit: Int = 100) async throws -> CallbackPage {
        try await answer { dueCallbacks(link, now: now, limit: limit, completion: $0) }
    }

    func settle(_ callback: QueuedCallback, _ end: CallbackSettlement.End, at: WallTime = .noon) async throws {
        let settlement = CallbackSettlement(line: callback.line, callbacks: callback.callbacks, end: end, at: at)
        let held: [Bool] = try await answer { settleCallbacks([settlement], completion: $0) }
        #expect(held == [true])
    }

    func deadLetters(before: Int64? = nil, limit: Int = 100) async throws -> [DeadLetter] {
        try await answer { deadLetters(before: before, limit: limit, completion: $0) }
    }

    func deadLetter(_ number: Int64) async throws -> DeadLetter? {
        try await answer { deadLetter(number, completion: $0) }
    }

    func replayDeadLetter(_ number: Int64, at: WallTime) async throws -> Bool {
        try await answer { replayDeadLetter(number, at: at, completion: $0) }
    }

    func dropDeadLetter(_ number: Int64) async throws -> Bool {
        try await answer { dropDeadLetter(number, completion: $0) }
    }
}
