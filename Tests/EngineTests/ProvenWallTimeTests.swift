// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import Engine

@Suite("What cannot be undone waits for a clock that is right")
struct ProvenWallTimeTests {
    private static let day: Int64 = 86_400_000
    private let start = WallTime(seconds: 1_800_000_000)
    private let begun = MonotonicTime(nanoseconds: 5_000_000_000)

    private func later(_ milliseconds: Int64) -> MonotonicTime { begun.adding(milliseconds: milliseconds) }

    @Test("A jump forwards is not believed, nor remembered once it is over")
    func jump() {
        var clock = ProvenWallTime(start, at: begun)
        let ahead = start.adding(milliseconds: 40 * Self.day)
        #expect(clock.time(ahead, at: later(1_000)) == start.adding(milliseconds: 1_000))
        #expect(clock.isInDoubt)
        #expect(clock.time(ahead, at: later(3_600_000)) == start.adding(milliseconds: 3_600_000))
        let right = start.adding(milliseconds: 3_601_000)
        #expect(clock.time(right, at: later(3_601_000)) == right)
        #expect(!clock.isInDoubt)
    }

    @Test("A jump that has stood for a day is believed")
    func proven() {
        var clock = ProvenWallTime(start, at: begun)
        let ahead = start.adding(milliseconds: 40 * Self.day)
        _ = clock.time(ahead, at: later(1_000))
        let stood = ahead.adding(milliseconds: Self.day)
        #expect(clock.time(stood, at: later(1_000 + Self.day)) == stood)
        #expect(!clock.isInDoubt)
    }

    @Test("A clock that runs, drifts or is set back is believed at once", arguments: [Int64(0), 30_000, -7_200_000])
    func believed(step: Int64) {
        var clock = ProvenWallTime(start, at: begun)
        let wall = start.adding(milliseconds: 1_000 + step)
        #expect(clock.time(wall, at: later(1_000)) == wall)
        #expect(!clock.isInDoubt)
    }
}
