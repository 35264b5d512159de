// SPDX-License-Identifier: Apache-2.0

/// Where everything that was promised is kept, as one node of a bus sees it.
///
/// The protocol speaks of deliveries and subscriptions, never of rows, and takes work in batches. Writes are
/// committed and synced before they complete. Nothing here blocks its caller: completions come on a thread of the
/// ledger's and must not block it either. When a bound is reached a call completes with ``LedgerError/overloaded``.
///
/// It is made of parts, one a file: whoever uses a ledger asks for the parts that they use.
public protocol Ledger: NotificationLedger, ChunkLedger, DeliveryLedger, FallbackLedger, SubscriptionLedger,
    VerificationLedger,
    QuarantineLedger, ReceiptLedger, TimelineLedger, CallbackLedger, DeadLetterLedger, PauseLedger, OnceLedger,
    CountLedger, UpkeepLedger, LeaseLedger, LedgerEventSource, ObservedLedger
{
    /// Finishes all writes that were taken, gives the lease back, closes files and ends threads. Blocks.
    func close()
}

/// What the dispatcher of a pipeline's deliveries uses of a ledger.
public typealias DispatchLedger = DeliveryLedger & ChunkLedger & FallbackLedger & QuarantineLedger & SubscriptionLedger

/// What the dispatcher of a pipeline's callbacks uses of a ledger.
public typealias CallbackDispatchLedger = CallbackLedger & ScheduledLedger

/// A ledger whose stored waits are measured by a clock of its own.
public protocol ScheduledLedger: AnyObject, Sendable {
    /// The clock that stored waits are measured by.
    var schedule: ScheduleClock { get }
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
