// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("How fast a channel is used")
struct PaceTests {
    private func users(_ count: Int) -> [RecipientID] { (0..<count).map { RecipientID("user\($0)") } }

    @Test("a channel that has not answered lately gets a few first, then everything")
    func trial() {
        var settings = DispatchSettings()
        settings.bulkFlights = 100...4_096
        var fixture = DispatchFixture(settings: settings)
        fixture.accept(DispatchFixture.notification(to: users(100)))
        #expect(fixture.attempts.count == 6)
        fixture.accept(DispatchFixture.notification("pin", to: ["anna"], type: .pinCode), first: 500)
        #expect(fixture.attempts.count == 7)
        fixture.answer(.accepted)
        #expect(fixture.attempts.count == 100)
        while !fixture.attempts.isEmpty { fixture.answer(.accepted) }
        #expect(fixture.settled.filter { $0.status == .sent }.count == 101)
        #expect(fixture.machine.parts.gates[0].flow.permits == 0)
        #expect(fixture.machine.parts.gates[0].flow.underWay == 0)
    }

    @Test("a refused key costs under twenty requests a minute, the first ones included")
    func refusedKey() {
        var fixture = DispatchFixture(settings: DispatchSettings())
        fixture.accept(DispatchFixture.notification(to: users(100)))
        var requests = 0
        for _ in 0..<600 {
            while !fixture.attempts.isEmpty {
                requests += 1
                fixture.answer(.unavailable(reason: "403 InvalidProviderToken"))
            }
            fixture.wait(100)
        }
        #expect((8..<20).contains(requests), "\(requests)")
        #expect(fixture.ended.isEmpty)
    }

    @Test("failures give the next few their turn")
    func failing() {
        var fixture = DispatchFixture(settings: DispatchSettings())
        fixture.accept(DispatchFixture.notification(to: users(30)))
        for _ in 0..<6 { fixture.answer(.unknown(reason: "no answer")) }
        #expect(fixture.attempts.count == 6)
    }

    @Test("a rate is kept to the delivery, urgent first, and what waits is served in order")
    func rate() {
        var fixture = DispatchFixture(
            channels: [ChannelSetup(label: "sms", reach: .devices([.ios]), condition: nil, rate: 10)]
        )
        fixture.accept(DispatchFixture.notification(to: users(50)))
        #expect(fixture.attempts.count == 1)
        fixture.accept(DispatchFixture.notification("pin", to: ["anna"], type: .pinCode), first: 500)
        #expect(fixture.attempts.count == 1)
        #expect(fixture.machine.nextWakeUp(after: fixture.now.monotonic) <= fixture.now.monotonic + 101)
        fixture.wait(100)
        #expect(fixture.attempts.map(\.sequence) == [1, 500])
        for _ in 0..<100 { fixture.wait(10) }
        #expect((11...12).contains(fixture.attempts.count))
        #expect(fixture.attempts.dropFirst(2).map(\.sequence) == Array(Int64(2)..<Int64(fixture.attempts.count)))
        for _ in 0..<500 { fixture.wait(10) }
        #expect(fixture.attempts.count == 51)
        #expect(fixture.machine.parts.gates[0].flow.permits == 0)
    }

    @Test("an operator who resumes a channel has it tried at once, whatever its far end asked for")
    func resumed() {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification(to: users(1)))
        fixture.answer(.retry(after: 3_600_000, scope: .provider, reason: "503 ServiceUnavailable"))
        fixture.accept(DispatchFixture.notification("n2", to: ["anna"]), first: 10)
        #expect(fixture.attempts.isEmpty)
        fixture.tell([.pause(ChannelID("apns"), true)])
        fixture.tell([.pause(ChannelID("apns"), false)])
        #expect(fixture.attempts.map(\.sequence) == [10])
        fixture.answer(.accepted)
        #expect(fixture.machine.report.channels.map(\.isSuspended) == [false])
    }

    @Test("a provider's Retry-After is obeyed by the whole channel, and is not ended by answers on their way")
    func quiet() {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification(to: users(3)))
        fixture.answer(.retry(after: 7_000, scope: .provider, reason: "503 ServiceUnavailable"))
        fixture.answer(.accepted)
        fixture.accept(DispatchFixture.notification("n2", to: ["anna"]), first: 10)
        #expect(fixture.attempts.count == 1)
        fixture.answer(.accepted)
        for _ in 0..<69 {
            fixture.wait(100)
            #expect(fixture.attempts.isEmpty)
        }
        fixture.wait(101)
        #expect(fixture.attempts.count == 1)
        fixture.answer(.accepted)
        fixture.wait(5_000)
        while !fixture.attempts.isEmpty { fixture.answer(.accepted) }
        #expect(fixture.machine.parts.table.count == 0)
    }

    @Test("nobody may ask to be left alone for more than an hour")
    func clamped() {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification(timeout: 100_000))
        fixture.answer(.retry(after: .max, scope: .delivery, reason: "429"))
        let next = fixture.settled.last?.nextAttempt ?? .distantPast
        #expect((fixture.now.due + 3_600_000...fixture.now.due + 3_601_000).contains(next))
    }
}
