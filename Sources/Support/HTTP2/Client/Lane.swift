// SPDX-License-Identifier: Apache-2.0

internal import Bus

/// Waiting requests of one urgency: a ring that gives from the front and takes at both ends.
///
/// Confined to the loop's thread.
final class Lane {
    private var ring: [Exchange?] = Array(repeating: nil, count: 64)
    private var head = 0
    private(set) var count = 0

    var first: Exchange? { count == 0 ? nil : ring[head] }

    func append(_ exchange: Exchange) {
        grow()
        ring[(head + count) & (ring.count - 1)] = exchange
        count += 1
    }

    /// For what was sent, and is known not to have been processed: it keeps its turn.
    func putBack(_ exchange: Exchange) {
        grow()
        head = (head - 1) & (ring.count - 1)
        ring[head] = exchange
        count += 1
    }

    func removeFirst() -> Exchange? {
        guard count > 0 else { return nil }
        defer {
            ring[head] = nil
            head = (head + 1) & (ring.count - 1)
            count -= 1
        }
        return ring[head]
    }

    /// Takes out all whose deadline has passed; tells the earliest deadline of those that stay.
    func removeExpired(at now: MonotonicTime, earliest: inout MonotonicTime) -> [Exchange] {
        var expired: [Exchange] = []
        for _ in 0..<count {
            guard let exchange = removeFirst() else { break }
            if exchange.deadline <= now {
                expired.append(exchange)
            } else {
                earliest = min(earliest, exchange.deadline)
                append(exchange)
            }
        }
        return expired
    }

    func removeAll() -> [Exchange] {
        var all: [Exchange] = []
        while let next = removeFirst() { all.append(next) }
        return all
    }

    /// The size stays a power of two, so that a mask replaces the remainder.
    private func grow() {
        guard count == ring.count else { return }
        var larger: [Exchange?] = Array(repeating: nil, count: ring.count * 2)
        for index in 0..<count { larger[index] = ring[(head + index) & (ring.count - 1)] }
        ring = larger
        head = 0
    }
}
