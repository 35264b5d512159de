// SPDX-License-Identifier: Apache-2.0

import Engine
import SQLite

extension LedgerIdentity {
    /// Reads what makes a database unlike any other; the first time, draws it.
    init(of connection: Connection) throws(SQLiteError) {
        var random = SystemRandomNumberGenerator()
        let fresh = [random.next(), random.next()].flatMap { (word: UInt64) in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
        let insert = try Statement(
            "INSERT INTO meta (key, value) VALUES ('identity', ?1) ON CONFLICT DO NOTHING",
            on: connection
        )
        insert.bind(fresh, at: 1)
        try insert.run()
        let read = try Statement("SELECT value FROM meta WHERE key = 'identity'", on: connection)
        defer { read.reset() }
        guard try read.step() else { throw SQLiteError(code: .corrupt, message: "its identity is missing") }
        let words = read.bytes(0)
        guard words.count == 16 else { throw SQLiteError(code: .corrupt, message: "its identity is damaged") }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(words[..<8]), low: word(words[8...]))
    }
}
