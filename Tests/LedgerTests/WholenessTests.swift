// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Foundation
import LedgerTesting
import SQLite
import SQLiteStore
import Testing

/// A store that is not what was left behind is refused with words, and never made a fresh one.
@Suite("A store must be whole and in one pair of hands", .timeLimit(.minutes(1)))
struct WholenessTests {
    private let place: LedgerPlace
    private let files = FileManager.default

    init() throws { place = try LedgerPlace(.sqlite) }

    private func refusal(of path: String) -> String? {
        do {
            try SQLiteLedger(path: path).close()
            return nil
        } catch { return "\(error)" }
    }

    /// What a process that is killed leaves: copies of the files of a store that is open, with one notification in it.
    private func crash(accepted count: Int = 1) async throws -> String {
        let folder = place.directory.appending(path: "crashed").path
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let ledger = try SQLiteLedger(path: place.path)
        defer { ledger.close() }
        let bank = try ledger.pipeline(named: "bank")
        for number in 0..<count { _ = try await ledger.accept(.sample(NotificationID("n\(number)"), in: bank)) }
        for end in ["", "-wal", ".commits"] {
            try files.copyItem(atPath: place.path + end, toPath: "\(folder)/busd.db\(end)")
        }
        return "\(folder)/busd.db"
    }

    private func depth(_ path: String) async throws -> Int? {
        let ledger = try SQLiteLedger(path: path)
        defer { ledger.close() }
        let bank = try ledger.pipeline(named: "bank")
        return try await ledger.depth(bank)[.bulk(bank)]
    }

    @Test("After a crash everything that was confirmed is there")
    func crashed() async throws {
        let path = try await crash(accepted: 3)
        let ledger = try SQLiteLedger(path: path)
        #expect(ledger.wasLeftOpen)
        ledger.close()
        let again = try SQLiteLedger(path: path)
        #expect(!again.wasLeftOpen)
        again.close()
        #expect(try await depth(path) == 3)
    }

    @Test("Without its log it is refused; deleting the record goes on deliberately", arguments: [true, false])
    func lostLog(isDeleted: Bool) async throws {
        let path = try await crash()
        if isDeleted {
            try files.removeItem(atPath: path + "-wal")
        } else {
            try Data().write(to: URL(filePath: path + "-wal"))
        }
        let words = try #require(refusal(of: path))
        #expect(words.contains("the store '\(path)' is not whole: "), "\(words)")
        #expect(words.contains("confirmed commits are missing"))
        #expect(words.contains("delete '\(path).commits' and start again"))
        #expect(refusal(of: path) == words)
        try files.removeItem(atPath: path + ".commits")
        #expect(try await depth(path) == 0)
        #expect(try await depth(path) == 0)
    }

    @Test("A log without its store is refused, and not played into a new one")
    func lostStore() async throws {
        let path = try await crash()
        try files.moveItem(atPath: path, toPath: path + ".kept")
        let log = try Data(contentsOf: URL(filePath: path + "-wal"))
        let words = try #require(refusal(of: path))
        #expect(words.contains("the store '\(path)' is gone, but its write-ahead log"), "\(words)")
        #expect(words.contains("move the log away"))
        #expect(!files.fileExists(atPath: path))
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")) == log)
        try files.moveItem(atPath: path + ".kept", toPath: path)
        #expect(try await depth(path) == 1)
    }

    @Test("A file that is moved away or replaced while the store is open is noticed", arguments: [true, false])
    func movedAway(isReplaced: Bool) async throws {
        let ledger = try SQLiteLedger(path: place.path)
        defer { ledger.close() }
        #expect(ledger.condition.problem == nil)
        try files.moveItem(atPath: place.path, toPath: place.path + ".kept")
        if isReplaced { try files.copyItem(atPath: place.path + ".kept", toPath: place.path) }
        try await eventually { ledger.condition.problem?.contains("was moved, deleted or replaced") == true }
        if isReplaced { try files.removeItem(atPath: place.path) }
        try files.moveItem(atPath: place.path + ".kept", toPath: place.path)
        try await eventually { ledger.condition.problem == nil }
    }

    /// The store looks at its file once a second.
    private func eventually(_ holds: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while !holds(), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        #expect(holds())
    }

    @Test("An older copy in its place is refused")
    func olderCopy() async throws {
        try SQLiteLedger(path: place.path).close()
        let copy = try Data(contentsOf: URL(filePath: place.path))
        let ledger = try SQLiteLedger(path: place.path)
        _ = try await ledger.accept(.sample("n1", in: try ledger.pipeline(named: "bank")))
        ledger.close()
        try copy.write(to: URL(filePath: place.path))
        #expect(try #require(refusal(of: place.path)).contains("an older copy of the store"))
    }

    @Test("Another program that reads and tidies up after a crash does no harm")
    func checkpointed() async throws {
        let path = try await crash()
        _ = try Connection(path: path).integer("SELECT count(*) FROM notification")
        #expect(!files.fileExists(atPath: path + "-wal"))
        #expect(try await depth(path) == 1)
    }

    @Test("A record of another store, or a damaged one, says nothing")
    func strangeRecord() async throws {
        let path = try await crash()
        try Data("busdcmt1 and what a power cut left".utf8).write(to: URL(filePath: path + ".commits"))
        #expect(try await depth(path) == 1)
        let other = place.directory.appending(path: "other.db").path
        try SQLiteLedger(path: other).close()
        try files.removeItem(atPath: other + ".commits")
        try files.copyItem(atPath: path + ".commits", toPath: other + ".commits")
        #expect(refusal(of: other) == nil)
    }

    @Test("A file that was emptied is refused, and stays empty")
    func emptied() throws {
        try SQLiteLedger(path: place.path).close()
        try Data().write(to: URL(filePath: place.path))
        let words = try #require(refusal(of: place.path))
        #expect(words.contains("the file is empty, what it held is gone; restore it from a backup, or delete it"))
        #expect(try Data(contentsOf: URL(filePath: place.path)).isEmpty)
    }

    @Test("A few bytes that are no database are refused", arguments: ["x", "hello", "SQLite format 3"])
    func noDatabase(text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: place.path))
        #expect(try #require(refusal(of: place.path)).contains("file is not a database"))
        #expect(try String(contentsOfFile: place.path, encoding: .utf8) == text)
    }

    @Test("Where no file was a new store is made, and nothing is left beside it")
    func fresh() throws {
        let ledger = try SQLiteLedger(path: place.path)
        #expect(ledger.isNew)
        ledger.close()
        let again = try SQLiteLedger(path: place.path)
        #expect(!again.isNew)
        again.close()
        #expect(try files.contentsOfDirectory(atPath: place.directory.path).sorted() == ["busd.db", "busd.db.commits"])
    }

    @Test("A link whose target is still to be made is followed")
    func danglingLink() throws {
        let link = place.directory.appending(path: "link.db").path
        try files.createSymbolicLink(atPath: link, withDestinationPath: "busd.db")
        #expect(refusal(of: link) == nil)
        #expect(files.fileExists(atPath: place.path))
    }

    @Test("A second bus is refused under whatever name it comes", arguments: ["symlink", "hard link", "folder"])
    func otherNames(kind: String) throws {
        let first = try SQLiteLedger(path: place.path)
        defer { first.close() }
        var name = place.directory.appending(path: "other.db").path
        switch kind {
        case "symlink": try files.createSymbolicLink(atPath: name, withDestinationPath: place.path)
        case "hard link": try files.linkItem(atPath: place.path, toPath: name)
        default:
            let folder = place.directory.appending(path: "folder").path
            try files.createSymbolicLink(atPath: folder, withDestinationPath: place.directory.path)
            name = "\(folder)/busd.db"
        }
        #expect(try #require(refusal(of: name)).contains("'\(name)' is in use by another busd"))
        #expect(try #require(refusal(of: name)).contains("stop it, or name another file"))
        first.close()
        #expect(refusal(of: place.path) == nil)
    }
}
