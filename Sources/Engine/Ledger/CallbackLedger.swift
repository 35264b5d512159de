// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What banks are still to hear.
///
/// A callback is written in the transaction of whatever causes it, for every link that was declared to want its kind.
/// The callbacks of one notification to one link form a line, told in their order, one call at a time.
public protocol CallbackLedger: AnyObject, Sendable {
    /// Says which links a pipeline has and what they want to hear, in place of what was said before.
    ///
    /// What waits for a link that is not named any more stays. Blocks; for the start of the bus.
    ///
    /// - Returns: the ledger's numbers of the links, in their order.
    /// - Throws: ``LedgerError``.
    func declare(_ links: [LinkDeclaration], in pipeline: PipelineNumber) throws -> [LinkNumber]

    /// Reads the next call of each line of a link that is due, in the order in which they came due.
    ///
    /// A link is one node's at a time: to the others the page is empty, and says when to ask again.
    func dueCallbacks(
        _ link: LinkNumber,
        now: DueTime,
        limit: Int,
        completion: @escaping Completion<CallbackPage>
    )

    /// Counts what links are still to hear, each up to ``QueuedCallback/mostCounted``: others wait for the answer.
    func waitingCallbacks(_ links: [LinkNumber], completion: @escaping Completion<[LinkNumber: Int]>)

    /// Writes what became of calls; completes with whether each was this node's to write, see
    /// ``DeliveryLedger/settle(_:completion:)``.
    func settleCallbacks(_ settlements: [CallbackSettlement], completion: @escaping Completion<[Bool]>)
}

/// The ledger's number of a link.
public struct LinkNumber: Hashable, Sendable {
    /// The number.
    public let rawValue: Int64
    /// Wraps a number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A link to a bank, and what it wants to hear.
public struct LinkDeclaration: Sendable, Equatable {
    /// Its name in the pipeline.
    public let label: String
    /// The events it wants.
    public let events: Set<BankEvent.Kind>
    /// Whether `expired` is told too of what was sent and never confirmed by a receipt within its timeout.
    public let reportsUnconfirmed: Bool

    /// Describes a link.
    public init(label: String, events: Set<BankEvent.Kind>, reportsUnconfirmed: Bool = false) {
        self.label = label
        self.events = events
        self.reportsUnconfirmed = reportsUnconfirmed
    }
}

/// A call that a bank is to get: the head of a line.
public struct QueuedCallback: Sendable, Equatable {
    /// The most users one call names.
    public static let mostUsers = 1_000
    /// The number beyond which what waits is not counted.
    public static let mostCounted = 100_000

    /// The ledger's number of its line.
    public let line: Int64
    /// The callbacks it is made of: the first ones of the line, by the ledger's numbers.
    public let callbacks: [Int64]
    /// What happened.
    public let kind: BankEvent.Kind
    /// The bank's id of the notification.
    public let notification: NotificationID
    /// To whom, in the bank's own spelling.
    public let users: [RecipientID]
    /// When it first happened.
    public let at: WallTime
    /// Since when the bank should know: after a replay, since then.
    public let since: DueTime
    /// The failed attempts made.
    public let attempts: Int

    /// Describes a call.
    public init(
        line: Int64,
        callbacks: [Int64],
        kind: BankEvent.Kind,
        notification: NotificationID,
        users: [RecipientID],
        at: WallTime,
        since: DueTime,
        attempts: Int
    ) {
        self.line = line
        self.callbacks = callbacks
        self.kind = kind
        self.notification = notification
        self.users = users
        self.at = at
        self.since = since
        self.attempts = attempts
    }
}

/// What is due to a link.
public struct CallbackPage: Sendable, Equatable {
    /// The calls, at most as many as were asked for.
    public let calls: [QueuedCallback]
    /// Whether there may be more that is due.
    public let hasMore: Bool
    /// When the next line after `now` is due; `nil` where there is none.
    public let nextDue: DueTime?

    /// Describes a page.
    public init(calls: [QueuedCallback], hasMore: Bool, nextDue: DueTime?) {
        self.calls = calls
        self.hasMore = hasMore
        self.nextDue = nextDue
    }
}

/// What became of a call.
public struct CallbackSettlement: Sendable, Equatable {
    /// The sorts of ends.
    public enum End: Sendable, Equatable {
        /// The bank knows.
        case told
        /// Not yet: the whole line waits.
        case later(due: DueTime, attempts: Int)
        /// The bank will not hear of it: a dead letter. The line goes on without it.
        case dead(attempts: Int, reason: String)
    }

    /// The ledger's number of the line.
    public let line: Int64
    /// The callbacks the call was made of.
    public let callbacks: [Int64]
    /// What became of it.
    public let end: End
    /// When.
    public let at: WallTime

    /// Describes what became of a call.
    public init(line: Int64, callbacks: [Int64], end: End, at: WallTime) {
        self.line = line
        self.callbacks = callbacks
        self.end = end
        self.at = at
    }
}
