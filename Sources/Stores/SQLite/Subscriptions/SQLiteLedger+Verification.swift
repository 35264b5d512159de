// SPDX-License-Identifier: Apache-2.0

public import Engine
import SQLite

extension SQLiteLedger {
    /// Keeps a registration until its code comes, in place of an earlier one of the same user, device and app.
    public func keep(_ pending: NewPendingRegistration, completion: @escaping Completion<Void>) {
        let completing: Completion<Bool> = { result in
            completion(result.flatMap { $0 ? .success(()) : .failure(.overloaded) })
        }
        write(completing) { (statements: WriterStatements) throws(SQLiteError) in
            try statements.verifications.keep(pending)
        }
    }

    /// Finds the registration that a code is for, and counts a try.
    public func takeTry(_ wanted: PendingWish, completion: @escaping Completion<PendingTry>) {
        write(completion) { (statements: WriterStatements) throws(SQLiteError) in
            try statements.verifications.takeTry(wanted)
        }
    }

    /// Takes back a try whose code nobody could look at.
    public func giveBackTry(_ pending: Int64, completion: @escaping Completion<Void>) {
        write(completion) { (statements: WriterStatements) throws(SQLiteError) in
            try statements.verifications.giveBackTry(pending)
        }
    }

    /// Keeps a subscription that was waited for, and ends the waiting.
    public func subscribe(
        _ subscription: NewSubscription,
        confirming pending: Int64,
        completion: @escaping Completion<Int?>
    ) {
        write(completion) { (statements: WriterStatements) throws(SQLiteError) in
            guard try statements.verifications.end(pending) else { return nil }
            return try statements.subscriptions.subscribe(subscription)
        }
    }
}
