// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine
import SQLite
import Threads

extension SQLiteLedger {
    /// Returns the ledger's number of a pipeline, giving it one at first sight.
    ///
    /// Blocks.
    ///
    /// - Throws: ``LedgerError``.
    public func pipeline(named name: String) throws -> PipelineNumber {
        let answer = Mailbox<Result<PipelineNumber, LedgerError>>(capacity: 1)
        write(.pipeline(name) { answer.post($0) }, weight: 1)
        guard let result = answer.take()?.first else { throw LedgerError.closed }
        return try result.get()
    }

    /// Keeps a notification and its deliveries, unless the pipeline knows the id; whoever watches hears of it first.
    public func accept(_ acceptance: Acceptance, completion: @escaping Completion<AcceptanceResult>) {
        // Encoded here, on the caller's thread: the writer is the one that everybody waits for.
        let content = NotificationCodec.encode(acceptance.notification)
        let weight = 1 + acceptance.deliveries.count + content.count / 1024
        write(.accept(AcceptJob(acceptance, content: content, completion)), weight: weight)
    }

    /// Writes what became of deliveries, in the order given; a long list in several transactions.
    ///
    /// A delivery that is no longer open stays so; where a provider or a phone had it after all, its status says so.
    /// All are this node's: there is no other.
    public func settle(_ settlements: [Settlement], completion: @escaping Completion<[Bool]>) {
        guard !settlements.isEmpty else { return completion(.success([])) }
        write(.settle(settlements, from: 0, completion), weight: settlements.count, endsWork: true)
    }

    /// Reads open deliveries of a queue that are due, by priority (highest first), due time and number.
    ///
    /// The recipients of their notifications are left out where there is more than one.
    public func due(
        _ queue: Queue,
        now: DueTime,
        limit: Int,
        completion: @escaping Completion<DuePage>
    ) {
        read(for: .pages, completion) { try $0.queues.due(queue, now: now, limit: limit) }
    }

    /// Counts the open deliveries of each queue of a pipeline.
    public func depth(_ pipeline: PipelineNumber, completion: @escaping Completion<[Queue: Int]>) {
        read(for: .pages, completion) { try $0.queues.depths(of: pipeline) }
    }

    /// Reads a notification by its bank's id, its recipients in the bank's order; `nil` where there is none.
    ///
    /// A PIN code's content is gone when all its recipients read it, or its time has passed at `now`.
    public func notification(
        _ id: NotificationID,
        in pipeline: PipelineNumber,
        now: WallTime,
        completion: @escaping Completion<Notification?>
    ) {
        read(completion) { try $0.notifications.notification(id, in: pipeline, now: now) }
    }

    /// Reads the statuses of a notification, one for each spelling and in the order the bank gave; `nil` where there is
    /// none.
    public func statuses(
        of id: NotificationID,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[RecipientStatus]?>
    ) {
        read(completion) { try $0.notifications.statuses(of: id, in: pipeline) }
    }
}
