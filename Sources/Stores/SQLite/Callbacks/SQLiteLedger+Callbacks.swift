// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine
import SQLite
import Threads

extension SQLiteLedger {
    /// Says which links a pipeline has and what they want to hear, in place of what was said before.
    ///
    /// Blocks.
    ///
    /// - Throws: ``LedgerError``.
    public func declare(_ links: [LinkDeclaration], in pipeline: PipelineNumber) throws -> [LinkNumber] {
        let answer = Mailbox<Result<[LinkNumber], LedgerError>>(capacity: 1)
        write({ answer.post($0) }) { statements throws(SQLiteError) in
            try statements.callbacks.declare(links, in: pipeline)
        }
        guard let result = answer.take()?.first else { throw LedgerError.closed }
        return try result.get()
    }

    /// Reads the next call of each line of a link that is due, in the order in which they came due.
    public func dueCallbacks(
        _ link: LinkNumber,
        now: DueTime,
        limit: Int,
        completion: @escaping Completion<CallbackPage>
    ) {
        read(for: .pages, completion) { try $0.callbacks.due(link, now: now, limit: limit) }
    }

    /// Writes what became of calls; all are this node's.
    public func settleCallbacks(_ settlements: [CallbackSettlement], completion: @escaping Completion<[Bool]>) {
        write(isUrgent: false, weight: settlements.count, completion) { statements throws(SQLiteError) in
            for settlement in settlements { try statements.callbackEnds.settle(settlement) }
            return [Bool](repeating: true, count: settlements.count)
        }
    }

    // MARK: Dead letters

    /// Reads dead letters, newest first, those older than the number `before`.
    public func deadLetters(before: Int64?, limit: Int, completion: @escaping Completion<[DeadLetter]>) {
        read(for: .pages, completion) { try $0.deadLetters.list(before: before, limit: limit) }
    }

    /// Reads one dead letter with all its users; `nil` where there is none.
    public func deadLetter(_ number: Int64, completion: @escaping Completion<DeadLetter?>) {
        read(for: .pages, completion) { try $0.deadLetters.letter(number) }
    }

    /// Puts a dead letter back at the end of its line; `false` where there is none.
    public func replayDeadLetter(_ number: Int64, at now: WallTime, completion: @escaping Completion<Bool>) {
        write(completion) { statements throws(SQLiteError) in
            if try statements.callbackEnds.replay(number) { return true }
            guard let origin = try statements.origins.origin(of: number),
                try statements.texts.reopen(letter: number, at: now)
            else { return false }
            statements.events.add(.reopened(channel: origin.channel), in: origin.pipeline)
            return try statements.callbackEnds.drop(number)
        }
    }

    /// Forgets a dead letter; `false` where there is none.
    public func dropDeadLetter(_ number: Int64, completion: @escaping Completion<Bool>) {
        write(completion) { statements throws(SQLiteError) in try statements.callbackEnds.drop(number) }
    }
}
