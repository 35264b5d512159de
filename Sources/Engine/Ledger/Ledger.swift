// SPDX-License-Identifier: Apache-2.0

public import Bus

/// Where everything that was promised is kept.
///
/// The protocol speaks of deliveries and subscriptions, never of rows, and takes work in batches. Writes are
/// committed and synced before they complete. Nothing here blocks its caller: completions come on a thread of the
/// ledger's and must not block it either. When a bound is reached a call completes with ``LedgerError/overloaded``.
public protocol Ledger: VerificationLedger, ReceiptLedger, TimelineLedger, UpkeepLedger, CallbackLedger,
    DeadLetterLedger, QuarantineLedger, FallbackLedger, ObservedLedger, PauseLedger, OnceLedger
{
    /// What makes the message ids of this ledger unlike any other's; made once, with the ledger.
    var identity: LedgerIdentity { get }

    /// The clock that stored waits are measured by.
    var schedule: ScheduleClock { get }

    /// Returns the ledger's number of a pipeline, giving it one at first sight. Blocks; for the start of the bus.
    ///
    /// - Throws: ``LedgerError``.
    func pipeline(named name: String) throws -> PipelineNumber

    // MARK: Notifications

    /// Keeps a notification and its deliveries, unless the pipeline knows the id; the sink hears of it first.
    func accept(
        _ acceptance: Acceptance,
        for sink: (any AcceptanceSink)?,
        completion: @escaping Completion<AcceptanceResult>
    )

    /// Writes what became of deliveries, in the order given.
    ///
    /// One settlement of a delivery that is no longer open (deleted, expired by a sweep) changes nothing.
    func settle(_ settlements: [Settlement], completion: @escaping Completion<Void>)

    /// Reads open deliveries of a queue that are due, by priority (highest first), due time and number.
    func due(_ queue: Queue, now: DueTime, limit: Int, completion: @escaping Completion<DuePage>)

    /// Brings what waits in a pipeline longer than until `latest` forward to that moment, deliveries and callbacks.
    ///
    /// For the start: no wait of ours is longer, so such a moment was stored by a clock that was wrong.
    func capWaits(_ pipeline: PipelineNumber, at latest: DueTime, completion: @escaping Completion<Void>)

    /// Reads open deliveries of a pipeline whose notification's timeout passed at or before `now`, oldest first.
    ///
    /// Settled ones never come again; those left open may.
    func expired(
        _ pipeline: PipelineNumber,
        now: WallTime,
        limit: Int,
        completion: @escaping Completion<[QueuedDelivery]>
    )

    /// Counts the open deliveries of each queue of a pipeline, parked ones too. For the start: the bus counts on from there.
    func depth(_ pipeline: PipelineNumber, completion: @escaping Completion<[Queue: Int]>)

    /// Reads a notification by its bank's id, its recipients in the bank's order; `nil` where there is none.
    ///
    /// A PIN code's content is gone when all its recipients read it, or its time has passed at `now`.
    func notification(
        _ id: NotificationID,
        in pipeline: PipelineNumber,
        now: WallTime,
        completion: @escaping Completion<Notification?>
    )

    /// Reads the statuses of a notification, one for each spelling and in the order the bank gave; `nil` where there is
    /// none.
    func statuses(
        of id: NotificationID,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[RecipientStatus]?>
    )

    // MARK: Subscriptions

    /// Reads the subscriptions of users, in the order of the users, newest registration first.
    ///
    /// What is asked for the urgent lane does not wait behind what is asked for the bulk one.
    func subscriptions(
        of users: [RecipientID],
        in pipeline: PipelineNumber,
        for lane: Queue.Lane,
        completion: @escaping Completion<[[Subscription]]>
    )

    /// Says for each user whether there is any subscription.
    func areSubscribed(
        _ users: [RecipientID],
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[Bool]>
    )

    /// Reads the subscriptions of a device, of one app or of all.
    func subscriptions(
        ofDevice deviceID: String,
        app: String?,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[Subscription]>
    )

    /// Keeps a new subscription and ends, in one transaction, those it takes the place of: of the same app and
    /// device, and of the same platform and token; all of the user's where the registration wishes so.
    ///
    /// Completes with how many it took the place of.
    func subscribe(_ subscription: NewSubscription, completion: @escaping Completion<Int>)

    /// Gives a subscription what its app told anew; another subscription of the same platform and token ends.
    ///
    /// Completes with how many others ended; `nil` where the subscription is gone.
    func refresh(_ refresh: SubscriptionRefresh, completion: @escaping Completion<Int?>)

    /// Ends subscriptions, each only while it is as the condition says; returns how many ended.
    func end(_ subscriptions: [SubscriptionEnd], completion: @escaping Completion<Int>)

    /// Ends all subscriptions of a user; returns how many there were.
    func endAll(of user: RecipientID, in pipeline: PipelineNumber, completion: @escaping Completion<Int>)

    // MARK: Life

    /// Finishes all writes that were taken, closes files and ends threads. Blocks.
    func close()
}

extension Ledger {
    /// Reads the subscriptions of users for somebody who waits.
    public func subscriptions(
        of users: [RecipientID],
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[[Subscription]]>
    ) {
        subscriptions(of: users, in: pipeline, for: .urgent, completion: completion)
    }
}

/// What a ledger calls when it has done what it was asked.
public typealias Completion<Value> = @Sendable (Result<Value, LedgerError>) -> Void

/// The ledger's number of a pipeline.
public struct PipelineNumber: Hashable, Sendable {
    /// The number.
    public let rawValue: Int32
    /// Wraps a number.
    public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// What makes one ledger unlike any other: 128 random bits.
public struct LedgerIdentity: Hashable, Sendable {
    /// The first 64 bits.
    public let high: UInt64
    /// The last 64 bits.
    public let low: UInt64
    /// Wraps random bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// Why a ledger did not do what it was asked.
public enum LedgerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Its queue is full; nothing was kept.
    case overloaded
    /// It is closed or closing.
    case closed
    /// Its disk has no room; nothing was kept. It mends itself when there is some. The text is for operators.
    case full(String)
    /// The store failed; the text is for operators and holds no content.
    case failed(String)

    /// The reason for operators.
    public var description: String {
        switch self {
        case .overloaded: "the store has too much to do"
        case .closed: "the store is closed"
        case .full(let reason), .failed(let reason): reason
        }
    }
}
