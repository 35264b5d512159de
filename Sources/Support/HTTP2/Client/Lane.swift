// SPDX-License-Identifier: Apache-2.0

internal import Bus
internal import Collections

/// Waiting requests of one urgency, which are given from the front and taken at both ends.
///
/// Confined to the loop's thread.
final class Lane {
    private var waiting = Deque<Exchange>()

    var count: Int { waiting.count }
    var first: Exchange? { waiting.first }

    func append(_ exchange: Exchange) { waiting.append(exchange) }

    /// For what was sent, and is known not to have been processed: it keeps its turn.
    func putBack(_ exchange: Exchange) { waiting.prepend(exchange) }

    func removeFirst() -> Exchange? { waiting.popFirst() }

    /// Takes out all whose deadline has passed; tells the earliest deadline of those that stay.
    func removeExpired(at now: MonotonicTime, earliest: inout MonotonicTime) -> [Exchange] {
        var expired: [Exchange] = []
        for _ in 0..<waiting.count {
            guard let exchange = waiting.popFirst() else { break }
            if exchange.deadline <= now {
                expired.append(exchange)
            } else {
                earliest = min(earliest, exchange.deadline)
                waiting.append(exchange)
            }
        }
        return expired
    }

    func removeAll() -> [Exchange] {
        var all: [Exchange] = []
        while let next = waiting.popFirst() { all.append(next) }
        return all
    }
}
