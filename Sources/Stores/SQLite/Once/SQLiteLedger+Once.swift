// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine
import SQLite

extension SQLiteLedger {
    /// Takes a key, unless it was taken before and not forgotten since; the verdict comes at once, on this thread.
    public func once(
        _ key: HashedKey,
        until: WallTime,
        verdict: @escaping Completion<Bool>,
        kept: @escaping Completion<Void>
    ) {
        let reading = schedule.read()
        let end = OnceRule.end(until, now: reading)
        switch taken.take(key, until: end, now: reading.due) {
        case .full: return verdict(.failure(.overloaded))
        case .again: return verdict(.success(false))
        case .first: break
        }
        let completion: Completion<Void> = { [taken] result in
            // Nobody was told of success, so nothing was used.
            if case .failure = result { taken.release(key) }
            kept(result)
        }
        write(completion) { (statements: WriterStatements) throws(SQLiteError) in
            try statements.once.keep(key, until: end, now: reading.due)
        }
        verdict(.success(true))
    }
}
