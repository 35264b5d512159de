// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What banks said, and how far it came.
public protocol NotificationLedger: ScheduledLedger {
    /// Returns the ledger's number of a pipeline, giving it one at first sight. Blocks; for the start of the bus.
    ///
    /// - Throws: ``LedgerError``.
    func pipeline(named name: String) throws -> PipelineNumber

    /// Keeps a notification and its deliveries, unless the pipeline knows the id; they are this node's.
    ///
    /// Whoever watches the pipeline hears ``LedgerEvent/accepted(_:)`` before this completes.
    func accept(_ acceptance: Acceptance, completion: @escaping Completion<AcceptanceResult>)

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
}
