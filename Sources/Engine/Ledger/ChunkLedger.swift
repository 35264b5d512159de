// SPDX-License-Identifier: Apache-2.0

public import Bus

/// Large notifications: what waits as packed recipients, and becomes deliveries when its lane has room.
///
/// More than ``Acceptance/largestInRows`` recipients are kept as chunks, so that nobody waits while they are accepted. Their
/// deliveries have numbers from the beginning. Until a recipient's delivery is made they are QUEUED, or
/// INVALID_SUBSCRIPTION where there was nothing to do for them.
public protocol ChunkLedger: AnyObject, Sendable {
    /// Makes the next deliveries, at most so many, of what waits in chunks for a queue: oldest notifications first, those
    /// of a higher priority before others.
    ///
    /// Whoever watches hears ``LedgerEvent/accepted(_:)`` of them before this completes. Without `room` only what was
    /// cancelled becomes deliveries, and what had its time at `now`: both have to end.
    func expand(_ queue: Queue, room: Int, now: WallTime, completion: @escaping Completion<Expansion>)

    /// Ends all of a notification that is not yet deliveries: SENDING_FAILED, and told to the bank as any other failure.
    ///
    /// Completes with how many recipients that was; `nil` where there is no such notification.
    func cancel(
        _ id: NotificationID,
        in pipeline: PipelineNumber,
        at: WallTime,
        completion: @escaping Completion<Int?>
    )

    /// Counts how far a notification is; `nil` where there is none.
    func progress(
        of id: NotificationID,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<NotificationProgress?>
    )
}

extension ChunkLedger {
    /// Nothing ever waits in a ledger that makes all deliveries at once.
    public func expand(_ queue: Queue, room: Int, now: WallTime, completion: @escaping Completion<Expansion>) {
        completion(.success(Expansion(made: 0, isMore: false)))
    }

    /// There is nothing to end in a ledger that makes all deliveries at once.
    public func cancel(
        _ id: NotificationID,
        in pipeline: PipelineNumber,
        at: WallTime,
        completion: @escaping Completion<Int?>
    ) {
        completion(.success(nil))
    }

    /// Not counted in a ledger that makes all deliveries at once.
    public func progress(
        of id: NotificationID,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<NotificationProgress?>
    ) {
        completion(.success(nil))
    }
}

/// What one step made of chunks.
public struct Expansion: Sendable, Equatable {
    /// Recipients that became deliveries, whatever their status.
    public let made: Int
    /// Whether more waits in the queue.
    public let isMore: Bool

    /// Describes a step.
    public init(made: Int, isMore: Bool) {
        self.made = made
        self.isMore = isMore
    }
}

/// How far a notification is.
public struct NotificationProgress: Sendable, Equatable {
    /// Its recipients, each once however often they were named.
    public let total: Int
    /// Those that wait in chunks and are no deliveries yet.
    public let waiting: Int
    /// The others, by status.
    public let made: [DeliveryStatus: Int]

    /// Describes how far a notification is.
    public init(total: Int, waiting: Int, made: [DeliveryStatus: Int]) {
        self.total = total
        self.waiting = waiting
        self.made = made
    }
}
