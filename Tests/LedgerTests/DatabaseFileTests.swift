// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import Foundation
import LedgerTesting
import SQLite
import SQLiteStore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DatabaseFileTests {
    private let place: LedgerPlace

    init() throws { place = try LedgerPlace(.sqlite) }

    @Test("A file that is no database is refused, with advice, and left alone")
    func noDatabase() throws {
        let text = String(repeating: "This is a letter. ", count: 500)
        try text.write(toFile: place.path, atomically: true, encoding: .utf8)
        #expect(
            throws: failed(
                "file is not a database (SQLite code 26); name another file in 'store', or move this one away"
            )
        ) {
            try SQLiteLedger(path: place.path)
        }
        #expect(try String(contentsOfFile: place.path, encoding: .utf8) == text)
    }

    @Test("Another program's database is refused")
    func foreign() throws {
        let other = try Connection(path: place.path)
        try other.execute("CREATE TABLE contacts (name)")
        #expect(
            throws: failed(
                "it is another program's database (SQLite code 26); name another file in 'store', or move this one away"
            )
        ) { try SQLiteLedger(path: place.path) }
    }

    @Test("A newer release's database is refused")
    func newer() throws {
        try SQLiteLedger(path: place.path).close()
        try Connection(path: place.path).execute("PRAGMA user_version = 99")
        let error = #expect(throws: LedgerError.self) { try SQLiteLedger(path: place.path) }
        guard case .failed(let text) = error else { throw NotAccepted() }
        #expect(text.contains("has version 99"))
        #expect(text.contains("run the newer busd"))
    }

    @Test("A PIN code that was erased is in no file, the log of an open store included", arguments: [1, 400])
    func erased(_ length: Int) async throws {
        let ledger = try SQLiteLedger(path: place.path)
        let bank = try ledger.pipeline(named: "bank")
        let code = "a code that is one of a kind"
        for number in 0..<20 {
            let id = NotificationID("n\(number)")
            let details = PushDetails(description: String(repeating: code, count: length))
            let sample = Acceptance.sample(id, in: bank, timeout: 60, type: .pinCode, details: details)
            let first = try firstDelivery(try await ledger.accept(sample))
            let sent = Settlement(delivery: first, status: .sent, at: .noon, attempts: 1)
            try await ledger.settle(sent)
        }
        func holds(_ text: String, _ suffix: String) throws -> Bool {
            let bytes = try Data(contentsOf: URL(filePath: place.path + suffix))
            return bytes.range(of: Data(text.utf8)) != nil
        }
        #expect(try holds(code, "-wal"))
        #expect(try await ledger.conclude(bank, now: .noon + 60_000) == 20)
        let deadline = ContinuousClock.now + .seconds(20)
        // The log is cut by a thread that tells nobody.
        while try holds(code, "-wal"), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try !holds(code, "-wal"))
        #expect(try holds("n19", "") && !holds(code, ""))
        ledger.close()
        #expect(try holds("n19", "") && !holds(code, ""))
    }

    @Test("A directory that is not there is named, with advice")
    func noDirectory() throws {
        let error = #expect(throws: LedgerError.self) { try SQLiteLedger(path: "/missing/deep/busd.db") }
        guard case .failed(let text) = error else { throw NotAccepted() }
        #expect(text.contains("check that the directory exists"))
    }

    @Test("A second bus on the same file is refused; after the first has closed it may have it")
    func second() throws {
        let first = try SQLiteLedger(path: place.path)
        let error = #expect(throws: LedgerError.self) { try SQLiteLedger(path: place.path) }
        let reason =
            "the store '\(place.path)' is in use by another busd, under this name or another (a link):"
            + " stop it, or name another file"
        #expect(error == .failed(reason))
        #expect(error.map { "\($0)" } == reason)
        first.close()
        try SQLiteLedger(path: place.path).close()
    }

    @Test("Only the owner may read what is inside")
    func privacy() throws {
        let ledger = try SQLiteLedger(path: place.path)
        defer { ledger.close() }
        for end in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: place.path + end)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("Pages come out of the partial index in their order; nothing is sorted or scanned")
    func plans() throws {
        try SQLiteLedger(path: place.path).close()
        let connection = try Connection(path: place.path, mode: .readOnly)
        let page = try plan(
            "SELECT * FROM delivery WHERE open AND queue = 1 AND priority = 5 AND due <= 9 ORDER BY due, seq LIMIT 5",
            connection
        )
        #expect(page == ["SEARCH delivery USING INDEX delivery_open (queue=? AND priority=? AND due<?)"])
        let depth = try plan("SELECT count(*) FROM delivery WHERE open AND queue = 1", connection)
        #expect(depth == ["SEARCH delivery USING INDEX delivery_open (queue=?)"])
        let sweep = try plan(
            "SELECT seq FROM notification WHERE pipeline = 1 AND expires >= 5 AND expires <= 9 ORDER BY expires, seq",
            connection
        )
        #expect(
            sweep == [
                "SEARCH notification USING COVERING INDEX notification_expires (pipeline=? AND expires>? AND expires<?)"
            ]
        )
        let user = try plan(
            "SELECT * FROM subscription WHERE pipeline = 1 AND user = 'a' ORDER BY seq DESC",
            connection
        )
        #expect(user == ["SEARCH subscription USING INDEX subscription_user (pipeline=? AND user=?)"])
    }

    private func plan(_ sql: String, _ connection: Connection) throws -> [String] {
        let statement = try Statement("EXPLAIN QUERY PLAN \(sql)", on: connection)
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(3)) }
        statement.reset()
        return lines
    }

    private func failed(_ reason: String) -> LedgerError {
        .failed("the store '\(place.path)' cannot be opened: \(reason)")
    }
}
