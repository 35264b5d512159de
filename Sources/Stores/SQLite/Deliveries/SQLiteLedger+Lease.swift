// SPDX-License-Identifier: Apache-2.0

public import Engine
import SQLite

extension SQLiteLedger {
    /// Has a sink hear what happens in a pipeline, in place of the one before; `nil` ends that.
    public func watch(_ pipeline: PipelineNumber, _ sink: (any LedgerEventSink)?) { sinks.watch(pipeline, sink) }

    /// There is never another node that left something.
    public func reclaim(_ pipeline: PipelineNumber, limit: Int, completion: @escaping Completion<Int>) {
        completion(.success(0))
    }

    /// All duties are the only node's.
    public func take(_ duty: Duty, completion: @escaping Completion<Bool>) { completion(.success(holdsLease)) }

    // MARK: Counts

    /// Counts a use of a key, unless it was used as often as its allowance says.
    public func count(_ key: HashedKey, _ allowance: Allowance, completion: @escaping Completion<CountVerdict>) {
        let now = schedule.read().due
        write(completion) { statements throws(SQLiteError) in
            try statements.tallies.count(key, allowance, at: now)
        }
    }

    /// Takes a use back that turned out to be a good one.
    public func uncount(_ key: HashedKey, completion: @escaping Completion<Void>) {
        write(completion) { statements throws(SQLiteError) in try statements.tallies.uncount(key) }
    }
}
