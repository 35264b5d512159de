// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine

/// The protocol's calls, to be awaited.
extension Ledger {
    func answer<Value: Sendable>(_ call: (@escaping Completion<Value>) -> Void) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            call { continuation.resume(with: $0) }
        }
    }

    func accept(_ acceptance: Acceptance) async throws -> AcceptanceResult {
        try await answer { accept(acceptance, completion: $0) }
    }

    /// Makes deliveries of what waits in chunks.
    @discardableResult
    func expand(_ queue: Queue, room: Int = 1_000, now: WallTime = .noon) async throws -> Expansion {
        try await answer { expand(queue, room: room, now: now, completion: $0) }
    }

    /// Makes deliveries of all that waits in chunks; returns how many there were.
    @discardableResult
    func expandAll(_ queue: Queue, now: WallTime = .noon) async throws -> Int {
        var made = 0
        while true {
            let step = try await expand(queue, now: now)
            made += step.made
            if !step.isMore { return made }
        }
    }

    func cancel(_ id: NotificationID, in pipeline: PipelineNumber, at: WallTime) async throws -> Int? {
        try await answer { cancel(id, in: pipeline, at: at, completion: $0) }
    }

    func progress(of id: NotificationID, in pipeline: PipelineNumber) async throws -> NotificationProgress? {
        try await answer { progress(of: id, in: pipeline, completion: $0) }
    }

    @discardableResult
    func settle(_ settlements: Settlement...) async throws -> [Bool] {
        try await answer { settle(settlements, completion: $0) }
    }

    func due(_ queue: Queue, now: DueTime, limit: Int = 100) async throws -> [QueuedDelivery] {
        try await page(queue, now: now, limit: limit).deliveries
    }

    func page(_ queue: Queue, now: DueTime, limit: Int = 100) async throws -> DuePage {
        try await answer { due(queue, now: now, limit: limit, completion: $0) }
    }

    func expired(_ pipeline: PipelineNumber, now: WallTime, limit: Int = 100) async throws -> [QueuedDelivery] {
        try await answer { expired(pipeline, now: now, limit: limit, completion: $0) }
    }

    func depth(_ pipeline: PipelineNumber) async throws -> [Queue: Int] {
        try await answer { depth(pipeline, completion: $0) }
    }

    func notification(
        _ id: NotificationID,
        in pipeline: PipelineNumber,
        now: WallTime = .noon
    ) async throws -> Notification? {
        try await answer { notification(id, in: pipeline, now: now, completion: $0) }
    }

    func statuses(of id: NotificationID, in pipeline: PipelineNumber) async throws -> [RecipientStatus]? {
        try await answer { statuses(of: id, in: pipeline, completion: $0) }
    }

    func subscriptions(of users: [RecipientID], in pipeline: PipelineNumber) async throws -> [[Subscription]] {
        try await answer { subscriptions(of: users, in: pipeline, completion: $0) }
    }

    func areSubscribed(_ users: [RecipientID], in pipeline: PipelineNumber) async throws -> [Bool] {
        try await answer { areSubscribed(users, in: pipeline, completion: $0) }
    }

    func subscriptions(ofDevice id: String, app: String?, in pipeline: PipelineNumber) async throws -> [Subscription] {
        try await answer { subscriptions(ofDevice: id, app: app, in: pipeline, completion: $0) }
    }

    @discardableResult
    func subscribe(_ subscription: NewSubscription) async throws -> Int {
        try await answer { subscribe(subscription, completion: $0) }
    }

    func refresh(_ refresh: SubscriptionRefresh) async throws -> Int? {
        try await answer { self.refresh(refresh, completion: $0) }
    }

    func end(_ subscriptions: [SubscriptionEnd]) async throws -> Int {
        try await answer { end(subscriptions, completion: $0) }
    }

    func endAll(of user: RecipientID, in pipeline: PipelineNumber) async throws -> Int {
        try await answer { endAll(of: user, in: pipeline, completion: $0) }
    }

    @discardableResult
    func apply(
        _ step: InvalidTokenStep,
        of channel: String,
        in pipeline: PipelineNumber,
        _ record: InvalidTokenRecord = InvalidTokenRecord()
    ) async throws -> InvalidTokenResult {
        try await answer { apply(step, of: channel, in: pipeline, record, completion: $0) }
    }

    func guards(of pipeline: PipelineNumber) async throws -> [String: KnownGuard] {
        try await answer { guards(of: pipeline, completion: $0) }
    }

    func quarantined(_ pipeline: PipelineNumber) async throws -> [QuarantineSummary] {
        try await answer { quarantined(pipeline, completion: $0) }
    }

    func clearVerdicts(_ subscriptions: [Int64]) async throws {
        try await answer { clearVerdicts(subscriptions, completion: $0) }
    }

    func forgetRemoved(before: WallTime, limit: Int = 100) async throws -> Int {
        try await answer { forgetRemoved(before: before, limit: limit, completion: $0) }
    }
}
