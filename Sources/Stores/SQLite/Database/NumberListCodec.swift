// SPDX-License-Identifier: Apache-2.0

import Engine

/// The stored form of ledger numbers: each as the difference to the one before it.
enum NumberListCodec {
    static func encode(_ numbers: [Int64]) -> [UInt8] {
        var writer = CompactWriter(capacity: numbers.count + 8)
        var last: Int64 = 0
        for number in numbers {
            writer.append(signed: number &- last)
            last = number
        }
        return writer.bytes
    }

    /// More than `limit` numbers are damage.
    static func decode(_ bytes: [UInt8], atMost limit: Int = .max) throws(DamagedBytes) -> [Int64] {
        var reader = CompactReader(bytes)
        var numbers: [Int64] = []
        var last: Int64 = 0
        while !reader.isAtEnd {
            guard numbers.count < limit else { throw DamagedBytes() }
            last = last &+ (try reader.signed())
            numbers.append(last)
        }
        return numbers
    }
}
