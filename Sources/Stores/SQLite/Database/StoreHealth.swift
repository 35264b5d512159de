// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite
import Synchronization

/// What is known of the store's ability to write: what the writer met, and how much room its disk has.
///
/// Little room counts as none for what is new, so that what was accepted can still be settled.
final class StoreHealth: Sendable {
    private struct State {
        /// What the last transaction failed with.
        var failure: LedgerError?
        /// Whether the disk has too little room.
        var isLow = false
        /// Whether the store's file is no longer where it was: what is written is seen by nobody after the end.
        var isAway = false
        var condition = StoreCondition()
    }

    /// The room below which nothing new is taken on: 16 MiB, or a fiftieth of a small disk.
    private static let reserve = 16 << 20
    private static let reservedPart = 50

    private let path: String
    private let folder: String
    private let state = Mutex(State())

    init(path: String) {
        self.path = path
        folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// How it is now.
    var condition: StoreCondition {
        state.withLock { state in
            var condition = state.condition
            condition.problem = state.failure?.description ?? obstacle(state)
            return condition
        }
    }

    /// Why nothing new may be taken on now; `nil` where it may, or where trying tells.
    var refusal: LedgerError? {
        state.withLock { state in obstacle(state).map { .full($0) } }
    }

    private func obstacle(_ state: State) -> String? {
        if state.isAway { return awayWords }
        return state.isLow ? lowWords(state.condition.freeBytes ?? 0) : nil
    }

    /// Whether the last transaction failed.
    var isFailing: Bool { state.withLock { $0.failure != nil } }

    /// A transaction is on disk.
    func wrote() { state.withLock { if $0.failure != nil { $0.failure = nil } } }

    /// A transaction failed; returns what to tell its callers.
    func failed(_ error: SQLiteError) -> LedgerError {
        state.withLock { state in
            let failure: LedgerError =
                isFull(error, state)
                ? .full("its disk is full: make room in '\(folder)' (\(error))")
                : .failed("the store could not write: \(error)")
            state.failure = failure
            state.condition.errors += 1
            return failure
        }
    }

    /// Takes what the files and the disk were measured to be.
    func measured(bytes: Int, disk: DiskSpace?, isAway: Bool = false) {
        state.withLock { state in
            state.isAway = isAway
            state.condition.bytes = bytes
            state.condition.freeBytes = disk?.free
            guard let disk else { return state.isLow = false }
            let reserve = min(Self.reserve, disk.total / Self.reservedPart)
            // A little more to get out of it than to get in, so that it does not come and go.
            state.isLow = disk.free < (state.isLow ? reserve + reserve / 4 : reserve)
        }
    }

    /// Where even the log's index finds no room, SQLite calls it an I/O error.
    private func isFull(_ error: SQLiteError, _ state: State) -> Bool {
        if error.code.primary == .full { return true }
        return error.code.primary == .ioError && (state.condition.freeBytes ?? .max) < 1 << 20
    }

    private var awayWords: String {
        "its file '\(path)' was moved, deleted or replaced while the bus runs: put it back, with its '-wal'"
    }

    private func lowWords(_ free: Int) -> String {
        "its disk is nearly full, \(free) bytes are free: make room in '\(folder)'"
    }
}
