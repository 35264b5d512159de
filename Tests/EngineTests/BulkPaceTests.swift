// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

/// A far end that takes so many a millisecond, one after the other, and answers after a way of its own length.
private struct FarEnd {
    var perMillisecond: Double
    var way: Int64
    private var free = 0.0
    private(set) var answers: [(start: Int64, at: Int64)] = []

    init(_ perMillisecond: Double, way: Int64) {
        self.perMillisecond = perMillisecond
        self.way = way
    }

    mutating func send(at now: Int64) {
        free = max(free, Double(now)) + 1 / perMillisecond
        answers.append((now, Int64(free.rounded(.up)) + way))
    }

    mutating func due(at now: Int64) -> [Int64] {
        let due = answers.prefix { $0.at <= now }.map(\.start)
        answers.removeFirst(due.count)
        return due
    }

    /// How long one that came now would wait for its turn, in milliseconds.
    func queue(at now: Int64) -> Double { max(0, free - Double(now)) }
}

@Suite("How much bulk is under way")
struct BulkPaceTests {
    /// Sends as much as may go for a while; returns how many were answered, and the queue an urgent one met at worst
    /// and on average in the second half.
    private func run(
        _ pace: inout Pace,
        _ farEnd: inout FarEnd,
        from start: Int64 = 1_000,
        milliseconds: Int64
    ) -> (answered: Int, worst: Double, mean: Double) {
        var flights = farEnd.answers.count
        var answered = 0
        var queues: [Double] = []
        for now in start..<start + milliseconds {
            for turn in farEnd.due(at: now) {
                pace.answered(from: .after(turn), at: .after(now))
                flights -= 1
                answered += 1
            }
            pace.settle(at: .after(now))
            while flights < pace.window {
                farEnd.send(at: now)
                flights += 1
            }
            pace.noteFull()
            if now - start > milliseconds / 2 { queues.append(farEnd.queue(at: now)) }
        }
        return (answered, queues.max() ?? 0, queues.reduce(0, +) / Double(max(queues.count, 1)))
    }

    @Test(
        "a far end is kept busy, and what is urgent meets a queue of some twenty milliseconds",
        arguments: [(1.0, 1), (5.0, 2), (8.0, 1), (30.0, 1), (8.0, 80), (20.0, 100)] as [(Double, Int64)]
    )
    func settles(perMillisecond: Double, way: Int64) {
        var pace = Pace(32...4_096)
        var farEnd = FarEnd(perMillisecond, way: way)
        let (answered, worst, mean) = run(&pace, &farEnd, milliseconds: 20_000)
        #expect(Double(answered) > 0.9 * 20_000 * perMillisecond, "\(answered)")
        let allowed = max(20, Double(way) / 2)
        // The least that is under way is a queue too where the far end is slow.
        #expect(worst < max(2.5 * allowed, 2 * 32 / perMillisecond), "\(worst)")
        #expect(mean < max(1.5 * allowed, 1.7 * 32 / perMillisecond), "\(mean)")
    }

    @Test("a far end that becomes slower gets less, and more again when it recovers")
    func changes() {
        var pace = Pace(32...4_096)
        var farEnd = FarEnd(30, way: 2)
        _ = run(&pace, &farEnd, milliseconds: 2_000)
        let fast = pace.window
        farEnd.perMillisecond = 3
        #expect(run(&pace, &farEnd, from: 3_000, milliseconds: 4_000).worst < 40)
        let slow = pace.window
        #expect(slow < fast / 4)
        farEnd.perMillisecond = 30
        _ = run(&pace, &farEnd, from: 7_000, milliseconds: 1_000)
        #expect(pace.window > fast / 2, "\(slow), then \(pace.window) of \(fast)")
    }

    @Test("a way that becomes longer does not strangle a channel")
    func longerWay() {
        var pace = Pace(32...4_096)
        var farEnd = FarEnd(20, way: 5)
        _ = run(&pace, &farEnd, milliseconds: 2_000)
        farEnd.way = 120
        let answered = run(&pace, &farEnd, from: 3_000, milliseconds: 10_000).answered
        #expect(Double(answered) > 0.6 * 10_000 * 20, "\(answered)")
    }

    @Test("what is not used is not given: a window grows only where it holds something back")
    func unused() {
        var pace = Pace(32...4_096)
        for round in 0..<100 as Range<Int64> {
            for _ in 0..<20 { pace.answered(from: .after(round * 10), at: .after(round * 10 + 2)) }
            pace.settle(at: .after(round * 10 + 2))
        }
        #expect(pace.window == 32)
    }

    @Test("the dispatcher keeps to it, and urgent deliveries do not")
    func dispatcher() {
        var settings = DispatchFixture.trusting
        settings.bulkFlights = 32...4_096
        var fixture = DispatchFixture(settings: settings)
        let users = (0..<1_000).map { RecipientID("user\($0)") }
        fixture.accept(DispatchFixture.notification(to: users))
        #expect(fixture.attempts.count == 32)
        fixture.accept(DispatchFixture.notification("pin", to: ["anna"], type: .pinCode), first: 5_000)
        #expect(fixture.attempts.map(\.sequence).contains(5_000))
        // Answers at once let it grow; it never sends more than it may.
        for _ in 0..<6 {
            fixture.now += 2
            let reports = fixture.takeAttempts().map { DeliveryReport(ticket: $0.ticket, outcome: .accepted) }
            fixture.tell([.reports(reports)])
            #expect(fixture.attempts.count <= fixture.machine.parts.gates[0].flow.pace.window)
        }
        #expect(fixture.machine.parts.gates[0].flow.pace.window > 256)
    }

    @Test("one device's silence holds no other channel's bulk")
    func channels() {
        var settings = DispatchFixture.trusting
        settings.bulkFlights = 32...4_096
        let states = [Platform.ios, .android].map {
            ChannelSetup(label: "\($0)", reach: .devices([$0]), condition: nil)
        }
        var fixture = DispatchFixture(settings: settings, channels: states)
        let users = (0..<1_000).map { RecipientID("user\($0)") }
        for (number, user) in users.enumerated() {
            let platform: Platform = number % 2 == 0 ? .ios : .android
            fixture.devices[user] = [DispatchFixture.device(of: user, number: Int64(number + 1), platform: platform)]
        }
        fixture.accept(DispatchFixture.notification(to: users))
        // Only the second channel answers; what waits for the first one fills the room that it may.
        var arrived = 0
        for _ in 0..<500 {
            fixture.now += 2
            let reports = fixture.takeAttempts { $0.device?.platform == .android }
                .map { DeliveryReport(ticket: $0.ticket, outcome: .accepted) }
            arrived += reports.count
            fixture.tell([.reports(reports)])
        }
        #expect(arrived == 500)
        #expect(fixture.attempts.count <= 64)
    }
}
