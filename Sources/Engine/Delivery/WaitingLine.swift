// SPDX-License-Identifier: Apache-2.0

/// Deliveries in memory that wait for a channel, in the order they came.
///
/// Those that leave the line otherwise (they expire) are told so, and their places are swept up now and then.
struct WaitingLine {
    private var line = Deque<Int64>()
    /// Those that really wait.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ delivery: Int64) {
        line.append(delivery)
        count += 1
    }

    /// Takes the next that `waits`.
    mutating func popFirst(where waits: (Int64) -> Bool) -> Int64? {
        while let delivery = line.popFirst() {
            guard waits(delivery) else { continue }
            count -= 1
            return delivery
        }
        return nil
    }

    /// Notes that one left without being called.
    mutating func lost(where waits: (Int64) -> Bool) {
        count -= 1
        guard line.count > 2 * count + 64 else { return }
        var kept = Deque<Int64>()
        while let delivery = line.popFirst() { if waits(delivery) { kept.append(delivery) } }
        line = kept
    }
}
