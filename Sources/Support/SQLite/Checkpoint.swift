// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// How far the write-ahead log is and how much of it reached the database file, in pages.
public struct CheckpointProgress: Sendable, Equatable {
    /// Pages in the log.
    public let logged: Int
    /// Those of them that are in the database file.
    public let moved: Int
}

extension Connection {
    /// How a checkpoint treats others.
    public enum CheckpointMode: Sendable {
        /// Moves what it can without waiting for anybody.
        case passive
        /// Waits for writers and readers, so that the next writer begins the log anew.
        case restart
        /// The same, and cuts the log to nothing: what it held is in no file any more but the database.
        case truncate

        fileprivate var flag: Int32 {
            switch self {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        }
    }

    /// Moves pages from the write-ahead log into the database file.
    public func checkpoint(_ mode: CheckpointMode) throws(SQLiteError) -> CheckpointProgress {
        var logged: Int32 = 0
        var moved: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode.flag, &logged, &moved)
        guard code == SQLITE_OK else { throw SQLiteError(code, handle) }
        return CheckpointProgress(logged: Int(logged), moved: Int(moved))
    }

    /// Calls `body` after each commit of this connection with the number of pages in the log, on its thread.
    ///
    /// The observer lives as long as the caller keeps it; automatic checkpoints are off from then on.
    public func observeLog(_ observer: LogObserver) {
        sqlite3_wal_hook(handle, LogObserver.called, Unmanaged.passUnretained(observer).toOpaque())
    }
}

/// Remembers how many pages the write-ahead log holds.
public final class LogObserver {
    /// Pages in the log after the last commit.
    public private(set) var pages = 0

    /// Creates an observer that has seen nothing.
    public init() {}

    fileprivate static let called:
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
            context,
            _,
            _,
            pages in
            guard let context else { return SQLITE_OK }
            Unmanaged<LogObserver>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
            return SQLITE_OK
        }
}
