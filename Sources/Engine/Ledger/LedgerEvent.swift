// SPDX-License-Identifier: Apache-2.0

/// A ledger that tells what happens in it.
public protocol LedgerEventSource: AnyObject, Sendable {
    /// Has a sink hear what happens in a pipeline, in place of the one before; `nil` ends that.
    func watch(_ pipeline: PipelineNumber, _ sink: (any LedgerEventSink)?)
}

/// Hears what happens in a pipeline, on whatever node.
public protocol LedgerEventSink: AnyObject, Sendable {
    /// What one transaction did, in its order; told once it is committed, before any of its calls completes.
    ///
    /// It runs on a thread of the ledger's and must not block it.
    func take(_ events: [LedgerEvent])
}

/// What happened in a pipeline.
public enum LedgerEvent: Sendable {
    /// New deliveries that this node owns.
    case accepted([AcceptedNotification])
    /// So many more recipients wait in chunks; fewer, where they were cancelled.
    case waiting(Queue.Lane, Int)
    /// A phone has a delivery, and that closed it: no text message is to be sent.
    case closed(delivery: Int64)
    /// An operator has something tried again that a channel had refused.
    case reopened(channel: String)
    /// There is something new to tell a bank.
    case callbacks
    /// An operator stopped a channel or a bank link, or let it go on.
    case paused(item: String, Bool)
    /// An operator decided about a channel's verdicts on tokens.
    case judged(channel: String)
    /// This node owns deliveries that another one left.
    case reclaimed
}
