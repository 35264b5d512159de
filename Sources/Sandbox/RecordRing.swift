// SPDX-License-Identifier: Apache-2.0

/// The latest so many records, in the order of arrival.
struct RecordRing<Record> {
    private let capacity: Int
    private var records: [Record] = []
    private var oldest = 0
    /// How many there have been since the last ``removeAll()``, forgotten ones included.
    private(set) var total = 0

    init(capacity: Int) { self.capacity = capacity }

    mutating func append(_ record: Record) {
        total += 1
        if records.count < capacity {
            records.append(record)
        } else {
            records[oldest] = record
            oldest = (oldest + 1) % capacity
        }
    }

    mutating func removeAll() {
        records = []
        oldest = 0
        total = 0
    }

    var all: [Record] { Array(records[oldest...] + records[..<oldest]) }
}

extension RecordRing: Sendable where Record: Sendable {}
