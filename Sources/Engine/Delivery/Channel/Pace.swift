// SPDX-License-Identifier: Apache-2.0

import Bus

/// How much bulk may be under way over a channel: what its pace needs and no more, so that an urgent delivery finds
/// no queue before it.
///
/// Watches how long bulk takes from its turn to its answer. By Little's law that time is in proportion to what is
/// under way as soon as there is a queue; so after each round (about the time of one answer) the window is multiplied
/// by the time that is allowed over the time that was taken. It comes to rest where bulk waits for other bulk as long
/// as is allowed, whether the far end takes a hundred a second or fifty thousand.
struct Pace {
    /// How long bulk may wait for other bulk, in milliseconds.
    private static let patience: Double = 20
    /// Answers that make a mean worth having.
    private static let samples = 16

    /// So little under way makes no queue to speak of.
    private let least: Int
    private let most: Int
    /// How much may be under way.
    private(set) var window: Int
    /// Whether more would have gone but for the window, in this round.
    private var isFull = false
    /// The shortest mean of a round, which is the time without a queue, in milliseconds.
    private var unhindered = Double.infinity
    private var sum: Int64 = 0
    private var count = 0
    /// What had its turn earlier belongs to the rounds before.
    private var began = MonotonicTime.distantPast

    init(_ bounds: ClosedRange<Int>) {
        least = bounds.lowerBound
        most = bounds.upperBound
        window = least
    }

    /// Notes that there is more than the window lets go.
    mutating func noteFull() { isFull = true }

    /// Notes an answer to what had its turn at `start`.
    mutating func answered(from start: MonotonicTime, at now: MonotonicTime) {
        // Of a round before.
        guard start >= began else { return }
        sum += now.milliseconds(since: start)
        count += 1
    }

    /// Ends the round if enough is known; called when all answers of the moment are noted.
    mutating func settle(at now: MonotonicTime) {
        guard count >= Self.samples else { return }
        adjust(Double(sum) / Double(count))
        sum = 0
        count = 0
        isFull = false
        began = now
    }

    private mutating func adjust(_ mean: Double) {
        // Where even the least takes longer, it is the way that became longer.
        unhindered = window == least ? mean : min(unhindered, mean)
        // Of a long way a part is no delay that anyone notices.
        let allowed = unhindered + max(Self.patience, unhindered / 2)
        let factor = min(max(allowed / max(mean, 1), 0.5), 2)
        guard factor < 1 || isFull else { return }
        window = min(max(Int((Double(window) * factor).rounded()), least), most)
    }
}
