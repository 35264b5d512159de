// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Testing

@testable import SQLiteStore

struct OnceIndexTests {
    private func key(_ number: Int) -> HashedKey { HashedKey(high: UInt64(number), low: 0) }
    private func at(_ seconds: Int) -> DueTime { DueTime(milliseconds: Int64(seconds) * 1_000) }

    @Test func twoHundredThousandKeysInFiveMinutesCostNothingToSpeakOf() {
        var index = OnceIndex()
        var most = 0
        let began = MonotonicTime.now()
        for number in 0..<1_000_000 {
            let second = number / 667
            #expect(index.take(key(number), until: at(second + 300), now: at(second)) == .first)
            most = max(most, index.count)
        }
        let took = MonotonicTime.now().milliseconds(since: began)
        #expect(most < 667 * 310)
        // Scanning 200,000 for each would take hours.
        #expect(took < 30_000, "\(took) ms")
    }

    @Test func aFullIndexSaysSoUntilSomethingEnds() {
        var index = OnceIndex(capacity: 3)
        for number in 0..<3 { #expect(index.take(key(number), until: at(10), now: at(0)) == .first) }
        #expect(index.take(key(3), until: at(10), now: at(0)) == .full)
        #expect(index.take(key(0), until: at(10), now: at(5)) == .again)
        #expect(index.take(key(3), until: at(30), now: at(20)) == .first)
        #expect(index.count == 1)
    }

    @Test func aReleasedKeyIsFreeAndTheNextUseOfItLastsItsOwnTime() {
        var index = OnceIndex()
        #expect(index.take(key(1), until: at(10), now: at(0)) == .first)
        index.release(key(1))
        #expect(index.take(key(1), until: at(20), now: at(0)) == .first)
        #expect(index.take(key(2), until: at(40), now: at(15)) == .first)
        #expect(index.take(key(1), until: at(40), now: at(16)) == .again)
        #expect(index.take(key(1), until: at(90), now: at(60)) == .first)
    }
}
