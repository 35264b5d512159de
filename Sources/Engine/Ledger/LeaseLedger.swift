// SPDX-License-Identifier: Apache-2.0

/// Which node works on what.
///
/// Whoever opens a ledger joins it as a node and holds a lease until they close it, or are silent for too long. What a
/// node accepts it owns: it alone sends it and writes what became of it. What a node without a lease owned is
/// reclaimed by the others. A ledger that only one process can open has one node, and all of this costs nothing.
public protocol LeaseLedger: AnyObject, Sendable {
    /// What this node was given when it opened the ledger.
    var lease: Lease { get }

    /// Whether the lease is known to hold: a node that does not know starts nothing. On any thread, without waiting.
    var holdsLease: Bool { get }

    /// Takes over open deliveries of a pipeline that nodes without a lease own, at most `limit`; completes with how many.
    ///
    /// Whoever watches the pipeline hears ``LedgerEvent/reclaimed`` where there were some. A text message whose gateway was
    /// being asked is closed as one whose outcome is unknown: it is never asked again.
    func reclaim(_ pipeline: PipelineNumber, limit: Int, completion: @escaping Completion<Int>)

    /// Takes a duty that one node does for all, or keeps it; completes with whether it is this node's.
    ///
    /// It is lost with the lease.
    func take(_ duty: Duty, completion: @escaping Completion<Bool>)
}

/// A node's right to work, until its ledger says otherwise.
public struct Lease: Hashable, Sendable {
    /// The ledger's number of the node.
    public let node: Int64
    /// How often a node has joined the ledger: the same node that comes again is another one.
    public let epoch: Int64

    /// Describes a lease.
    public init(node: Int64, epoch: Int64) {
        self.node = node
        self.epoch = epoch
    }
}

/// What one node does for all.
public enum Duty: Hashable, Sendable {
    /// Deletes what was kept long enough.
    case retention
    /// Looks after what has passed in a pipeline.
    case upkeep(PipelineNumber)
    /// Tells a bank over a link.
    case callbacks(LinkNumber)
}
