// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Collections
import Testing

@testable import Engine

@Suite("Queues, timers and waits")
struct QueueStructureTests {
    @Test("the timer heap hands out what a sorted list would, whatever is moved or removed")
    func timers() {
        var generator = SeededGenerator(seed: 7)
        var heap = TimerHeap<Alarm>()
        let alarms = (0..<200).map(Alarm.init)
        var model: [Int: Int64] = [:]
        for _ in 0..<5_000 {
            let key = Int.random(in: 0..<200, using: &generator)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                heap.remove(alarms[key])
                model[key] = nil
            } else {
                let time = Int64.random(in: 0..<1_000, using: &generator)
                heap.set(alarms[key], at: .after(time))
                model[key] = time
            }
            #expect(heap.next == model.values.min().map { .after($0) })
            #expect(heap.count == model.count)
        }
        var last = Int64.min
        while let alarm = heap.popDue(at: .distantFuture) {
            let time = model.removeValue(forKey: alarm.key)
            #expect(time.map { $0 >= last } == true)
            last = time ?? last
        }
        #expect(model.isEmpty)
    }

    @Test("the deque keeps its order across growth and wrap-around")
    func deque() {
        var deque = Deque<Int>()
        var next = 0
        var expected = 0
        for round in 1...200 {
            for _ in 0..<round % 7 + 1 {
                deque.append(next)
                next += 1
            }
            for _ in 0..<round % 5 {
                #expect(deque.popFirst() == expected)
                expected += 1
            }
        }
        while let value = deque.popFirst() {
            #expect(value == expected)
            expected += 1
        }
        #expect(expected == next)
    }

    @Test("waits grow to the maximum, never overflow, and are spread over the whole range")
    func backoff() {
        let backoff = Backoff(initial: 1_000, max: 300_000)
        #expect(
            [1, 2, 3, 9, 10, 63, 1_000].map(backoff.ceiling) == [
                1_000, 2_000, 4_000, 256_000, 300_000, 300_000, 300_000,
            ]
        )
        var generator = SeededGenerator(seed: 3)
        let waits = (0..<1_000).map { _ in backoff.wait(after: 5, using: &generator) }
        #expect(waits.allSatisfy { (1...16_000).contains($0) })
        #expect(waits.contains { $0 < 4_000 } && waits.contains { $0 > 12_000 })
    }
}

private final class Alarm: TimerHeapElement {
    let key: Int
    var timerPosition = -1

    init(_ key: Int) { self.key = key }
}

/// A generator that makes the same numbers in every run (xorshift).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
