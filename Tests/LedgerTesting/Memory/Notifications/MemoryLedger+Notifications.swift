// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine

extension MemoryLedger {
    /// Returns the ledger's number of a pipeline, giving it one at first sight.
    ///
    /// Blocks.
    ///
    /// - Throws: ``LedgerError``.
    public func pipeline(named name: String) throws -> PipelineNumber {
        try written { $0.tables.pipelines.number(of: name) }
    }

    /// Keeps a notification and its deliveries; a node without a lease takes nothing that others would have to send.
    public func accept(_ acceptance: Acceptance, completion: @escaping Completion<AcceptanceResult>) {
        write(completion) { transaction throws(LedgerError) in
            guard transaction.holdsLease else { throw .failed("the node's lease is over") }
            return transaction.accept(acceptance)
        }
    }

    /// Reads a notification by its bank's id, its recipients in the bank's order.
    public func notification(
        _ id: NotificationID,
        in pipeline: PipelineNumber,
        now: WallTime,
        completion: @escaping Completion<Notification?>
    ) {
        read(completion) { $0.notification(id, in: pipeline, now: now) }
    }

    /// Reads the statuses of a notification, one for each spelling and in the order the bank gave.
    public func statuses(
        of id: NotificationID,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[RecipientStatus]?>
    ) {
        read(completion) { $0.statuses(of: id, in: pipeline) }
    }

    /// Reads the steps of a notification with all its recipients, oldest first, the first `limit` of them.
    public func timeline(
        of id: NotificationID,
        in pipeline: PipelineNumber,
        limit: Int,
        completion: @escaping Completion<[TimelineEvent]?>
    ) {
        let now = schedule.read()
        read(completion) { $0.timeline(of: id, in: pipeline, limit: limit, now: now) }
    }

    // MARK: As time passes

    /// Looks after notifications whose time has passed, at most `limit`; returns how many there were.
    public func conclude(
        _ pipeline: PipelineNumber,
        now: WallTime,
        limit: Int,
        completion: @escaping Completion<Int>
    ) {
        write(completion) { $0.conclude(pipeline, now: now, limit: limit) }
    }

    /// Deletes old notifications, about `limit` rows from a place on; returns where to go on.
    public func forget(
        before: WallTime,
        from place: RetentionPlace,
        limit: Int,
        completion: @escaping Completion<RetentionPlace?>
    ) {
        write(completion) { $0.forget(before: before, from: place, limit: limit) }
    }
}
