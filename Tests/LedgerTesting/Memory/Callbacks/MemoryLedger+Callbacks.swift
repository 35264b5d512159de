// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine

extension MemoryLedger {
    /// Says which links a pipeline has and what they want to hear.
    ///
    /// Blocks.
    ///
    /// - Throws: ``LedgerError``.
    public func declare(_ links: [LinkDeclaration], in pipeline: PipelineNumber) throws -> [LinkNumber] {
        try written { $0.tables.callbacks.declare(links, in: pipeline) }
    }

    /// Reads the next call of each line of a link that is due, where the link is this node's: it takes one of nobody.
    public func dueCallbacks(
        _ link: LinkNumber,
        now: DueTime,
        limit: Int,
        completion: @escaping Completion<CallbackPage>
    ) {
        write(completion) { $0.dueCallbacks(link, now: now, limit: limit) }
    }

    /// Counts what links are still to hear, each up to ``QueuedCallback/mostCounted``.
    public func waitingCallbacks(_ links: [LinkNumber], completion: @escaping Completion<[LinkNumber: Int]>) {
        read(completion) { tables in
            var counts: [LinkNumber: Int] = [:]
            for link in links { counts[link] = 0 }
            for line in tables.callbacks.lines.values { counts[line.link]? += line.waiting.count }
            return counts.mapValues { min($0, QueuedCallback.mostCounted) }
        }
    }

    /// Writes what became of calls; completes with whether each was this node's to write.
    public func settleCallbacks(_ settlements: [CallbackSettlement], completion: @escaping Completion<[Bool]>) {
        write(completion) { transaction in settlements.map { transaction.settle($0) } }
    }

    // MARK: Dead letters

    /// How many users a list names of each.
    private static let usersListed = 10

    /// Reads dead letters, newest first, those older than the number `before`.
    public func deadLetters(before: Int64?, limit: Int, completion: @escaping Completion<[DeadLetter]>) {
        read(completion) { tables in
            let older = tables.deadLetters.rows.values.filter { $0.number < before ?? .max }
            let page = older.sorted { $0.number > $1.number }.prefix(limit)
            return page.compactMap { tables.letter($0, users: Self.usersListed) }
        }
    }

    /// Reads one dead letter with all its users; `nil` where there is none.
    public func deadLetter(_ number: Int64, completion: @escaping Completion<DeadLetter?>) {
        read(completion) { tables in tables.deadLetters[number].flatMap { tables.letter($0, users: .max) } }
    }

    /// Puts a dead letter back at the end of its line; `false` where there is none.
    public func replayDeadLetter(_ number: Int64, at now: WallTime, completion: @escaping Completion<Bool>) {
        write(completion) { $0.replay(number, at: now) }
    }

    /// Forgets a dead letter; `false` where there is none.
    public func dropDeadLetter(_ number: Int64, completion: @escaping Completion<Bool>) {
        write(completion) { $0.tables.deadLetters.remove(number) }
    }
}
