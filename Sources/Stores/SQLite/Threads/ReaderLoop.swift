// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite
import Threads

/// One question to the tables: runs inside a read transaction and returns how to tell its caller.
struct ReadJob: Sendable {
    /// Reads, and returns what completes the call once the transaction is over.
    let read: @Sendable (ReaderStatements) -> () -> Void
    /// Completes the call without reading.
    let fail: @Sendable (LedgerError) -> Void

    init<Value: Sendable>(
        _ completion: @escaping Completion<Value>,
        _ read: @escaping @Sendable (ReaderStatements) throws -> Value
    ) {
        self.fail = { completion(.failure($0)) }
        self.read = { statements in
            let result: Result<Value, LedgerError>
            do {
                result = .success(try read(statements))
            } catch let error as LedgerError {
                result = .failure(error)
            } catch {
                result = .failure(.failed("the store could not read: \(error)"))
            }
            return { completion(result) }
        }
    }
}

/// A thread that reads: it answers all that waits in one read transaction.
///
/// `@unchecked`: made by the opening thread, then touched by its own alone.
final class ReaderLoop: @unchecked Sendable {
    private let connection: Connection
    private let statements: ReaderStatements
    private let mailbox: Mailbox<ReadJob>
    /// A long transaction holds the log back, so a long queue is read in several, of so many
    /// milliseconds.
    private static let longest: Int64 = 20

    init(connection: Connection, mailbox: Mailbox<ReadJob>, schedule: ScheduleClock) throws(SQLiteError) {
        self.connection = connection
        self.mailbox = mailbox
        statements = try ReaderStatements(connection, schedule: schedule)
    }

    /// Works until the mailbox is closed and empty.
    func run() {
        while let jobs = mailbox.take() {
            var rest = jobs[...]
            while !rest.isEmpty { answer(&rest) }
        }
    }

    private func answer(_ jobs: inout ArraySlice<ReadJob>) {
        do throws(SQLiteError) {
            try statements.begin.run()
        } catch {
            for job in jobs { job.fail(.failed("the store could not read: \(error)")) }
            return jobs.removeAll()
        }
        var answers: [() -> Void] = []
        let deadline = MonotonicTime.now().adding(milliseconds: Self.longest)
        repeat { answers.append(jobs.removeFirst().read(statements)) } while !jobs.isEmpty && .now() < deadline
        // Nothing was written, so there is nothing to lose; a transaction left open would fail the next BEGIN.
        try? statements.commit.run()
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        for answer in answers { answer() }
    }
}
