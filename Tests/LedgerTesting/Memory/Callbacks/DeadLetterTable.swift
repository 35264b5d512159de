// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// What a bank did not take, or a gateway.
struct DeadLetterRow: Sendable {
    /// Who did not take it.
    enum Origin: Sendable {
        case link(LinkNumber)
        case channel(String)
    }

    let number: Int64
    let origin: Origin
    let notification: Int64
    let remains: DeadLetterRule.Remains
    let died: WallTime
    let attempts: Int
    let reason: String
}

/// All dead letters; their numbers are never given again.
struct DeadLetterTable: Sendable {
    private(set) var rows: [Int64: DeadLetterRow] = [:]
    private var last: Int64 = 0

    subscript(number: Int64) -> DeadLetterRow? { rows[number] }

    mutating func insert(_ row: (Int64) -> DeadLetterRow) {
        last += 1
        rows[last] = row(last)
    }

    /// Forgets one; says whether it was there.
    mutating func remove(_ number: Int64) -> Bool { rows.removeValue(forKey: number) != nil }

    mutating func forget(before: WallTime, limit: Int) {
        for number in rows.values.filter({ $0.died < before }).map(\.number).sorted().prefix(limit) {
            rows[number] = nil
        }
    }
}
