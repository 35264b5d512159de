// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What is to be sent, and what became of it.
public protocol DeliveryLedger: ScheduledLedger {
    /// What makes the message ids of this ledger unlike any other's; made once, with the ledger.
    var identity: LedgerIdentity { get }

    /// Writes what became of deliveries, in the order given; completes with whether each was this node's to write.
    ///
    /// What is no longer open (deleted, expired by a sweep) stays closed, and counts as written. `false`: another node
    /// owns the delivery since this one's lease ended; nothing was written, and nothing more is to be done about it.
    func settle(_ settlements: [Settlement], completion: @escaping Completion<[Bool]>)

    /// Reads open deliveries of a queue that are due, by priority (highest first), due time and number: those
    /// that this node owns.
    func due(_ queue: Queue, now: DueTime, limit: Int, completion: @escaping Completion<DuePage>)

    /// Brings what waits in a pipeline longer than until `latest` forward to that moment, deliveries and callbacks.
    ///
    /// For the start: no wait of ours is longer, so such a moment was stored by a clock that was wrong.
    func capWaits(_ pipeline: PipelineNumber, at latest: DueTime, completion: @escaping Completion<Void>)

    /// Reads open deliveries of a pipeline whose notification's timeout passed at or before `now`, oldest first: those
    /// that this node owns.
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
}
