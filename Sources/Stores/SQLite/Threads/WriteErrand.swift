// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

/// A write of a rarer kind: what it does inside the transaction, and whom it tells once that is committed.
struct WriteErrand: Sendable {
    /// Whether it goes before bulk: a person or an app waits for it.
    let isUrgent: Bool
    /// Writes, and returns what completes the call once the transaction is committed.
    let write: @Sendable (WriterStatements) throws(SQLiteError) -> () -> Void
    /// Completes the call with an error.
    let fail: @Sendable (LedgerError) -> Void

    init<Value: Sendable>(
        isUrgent: Bool,
        _ completion: @escaping Completion<Value>,
        _ body: @escaping @Sendable (WriterStatements) throws(SQLiteError) -> Value
    ) {
        self.isUrgent = isUrgent
        fail = { completion(.failure($0)) }
        write = { (statements: WriterStatements) throws(SQLiteError) -> () -> Void in
            let value = try body(statements)
            return { completion(.success(value)) }
        }
    }
}

extension SQLiteLedger {
    /// Has the writer run an errand; like all writes it shares its transaction with others.
    func write<Value: Sendable>(
        isUrgent: Bool = true,
        weight: Int = 1,
        _ completion: @escaping Completion<Value>,
        _ body: @escaping @Sendable (WriterStatements) throws(SQLiteError) -> Value
    ) {
        write(.errand(WriteErrand(isUrgent: isUrgent, completion, body)), weight: weight)
    }
}
