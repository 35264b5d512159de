// SPDX-License-Identifier: Apache-2.0

import Bus
import Collections

/// What of a link's lines is in memory, and what is known of its bank.
///
/// The callback thread's own.
final class LinkWindow {
    let label: String
    /// Its place among the links.
    let index: Int
    /// Lines in memory at most.
    private let capacity: Int
    var farEnd: FarEnd
    /// What operators were told of its dead letters.
    var deadLetters = LineLimit()
    /// Lines whose call may be made.
    private var ready = Deque<CallbackLine>()
    /// Lines in memory.
    private(set) var count = 0
    /// Calls under way.
    var underWay = 0
    var cursor = PageCursor()
    /// What was wrong the last time.
    var problem = "it was never reached"

    init(_ label: String, index: Int, capacity: Int, isPaused: Bool) {
        self.label = label
        self.index = index
        self.capacity = capacity
        farEnd = FarEnd(.bank, isPaused: isPaused)
    }

    /// Whether it waits for its bank to work again: neither an operator nor the ledger holds it up.
    var isHeldUp: Bool { !farEnd.isPaused && !ready.isEmpty }

    /// Whether there is room for a page.
    var hasRoom: Bool { count <= capacity / 2 }

    /// How long a page is wanted now; `nil` where none is.
    ///
    /// A page begins where those in memory stand: it is longer by their number.
    func wantedPage(at now: MonotonicTime) -> Int? {
        guard cursor.wantsPage(at: now), hasRoom else { return nil }
        cursor.begin()
        return count + capacity / 2
    }

    /// Takes a line into memory.
    func enter(_ line: CallbackLine) {
        count += 1
        ready.append(line)
    }

    /// Gives a line its turn again.
    func makeReady(_ line: CallbackLine) {
        line.phase = .ready
        ready.append(line)
    }

    /// Lets a line go.
    func evict(_ line: CallbackLine) {
        count -= 1
        cursor.noteEvicted(line.number)
    }

    /// Takes the next line whose call may be made now; one while the bank is being probed.
    func popReady(most: Int, at now: MonotonicTime) -> CallbackLine? {
        guard underWay < most, !farEnd.isPaused else { return nil }
        while let line = ready.popFirst() {
            guard line.phase == .ready else { continue }
            guard farEnd.admits(at: now) else {
                ready.prepend(line)
                return nil
            }
            return line
        }
        return nil
    }

    /// How it is, for operators.
    var report: LinkReport {
        LinkReport(
            label: label,
            isPaused: farEnd.isPaused,
            isSuspended: !farEnd.health.isWorking,
            reason: farEnd.health.isWorking ? nil : problem,
            underWay: underWay
        )
    }
}
