// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("A wall clock that is set")
struct ClockStepTests {
    /// Further than any wait, forwards and back.
    static let jumps: [Int64] = [-70 * 60_000, 70 * 60_000]

    private static func set(_ fixture: inout DispatchFixture, by step: Int64) {
        let now = fixture.now
        fixture.now = ClockReading(wall: now.wall + step, monotonic: now.monotonic, due: now.due)
    }

    private static func fixture() -> DispatchFixture {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification(timeout: 86_400))
        return fixture
    }

    @Test("does not move a retry that is pending", arguments: jumps)
    func retry(step: Int64) {
        var fixture = Self.fixture()
        fixture.answer(.retry(after: nil, scope: .delivery, reason: "429"))
        Self.set(&fixture, by: step)
        fixture.wait(1_000)
        #expect(fixture.attempts.count == 1)
    }

    @Test("does not move the probe of a suspended channel", arguments: jumps)
    func suspended(step: Int64) {
        var fixture = Self.fixture()
        fixture.answer(.unavailable(reason: "403 ExpiredProviderToken"))
        Self.set(&fixture, by: step)
        fixture.wait(1_000)
        #expect(fixture.attempts.count == 1)
        fixture.answer(.accepted)
        #expect(fixture.settled.last?.status == .sent)
    }

    @Test("does not move a far end's wish to be left alone", arguments: jumps)
    func quiet(step: Int64) {
        var fixture = Self.fixture()
        fixture.answer(.retry(after: 3_000, scope: .provider, reason: "503"))
        Self.set(&fixture, by: step)
        fixture.wait(2_900)
        #expect(fixture.attempts.isEmpty)
        fixture.wait(2_000)
        #expect(fixture.attempts.count == 1)
    }

    @Test("does not move a fallback that is pending", arguments: jumps)
    func fallback(step: Int64) {
        var fixture = DispatchFixture.pin(timeout: 86_400)
        Self.set(&fixture, by: step)
        fixture.wait(DispatchFixture.pushesHave - 100)
        #expect(fixture.texts.isEmpty)
        fixture.wait(200)
        #expect(fixture.texts.count == 1)
    }

    @Test("does not fill or empty a rate", arguments: jumps)
    func rate(step: Int64) {
        let channel = ChannelSetup(label: "apns", reach: .devices([.ios]), condition: nil, rate: 10)
        var fixture = DispatchFixture(channels: [channel])
        fixture.accept(DispatchFixture.notification(to: (0..<30).map { RecipientID("user\($0)") }, timeout: 86_400))
        let before = fixture.attempts.count
        Self.set(&fixture, by: step)
        fixture.wait(0)
        #expect(fixture.attempts.count == before)
        for _ in 0..<20 { fixture.wait(100) }
        #expect((before + 18...before + 22).contains(fixture.attempts.count))
    }

    @Test("does not move a callback that is pending", arguments: jumps)
    func callback(step: Int64) {
        var fixture = CallbackFixture()
        fixture.happen(1)
        fixture.answer(.retry(after: nil, scope: .delivery, reason: "500"))
        let now = fixture.now
        fixture.now = ClockReading(wall: now.wall + step, monotonic: now.monotonic, due: now.due)
        fixture.wait(1_000)
        #expect(fixture.calls.count == 1)
        fixture.answer(.accepted)
        #expect(fixture.told == [1])
    }

    @Test("does not keep what is stored from being read: its time is the schedule's", arguments: jumps)
    func stored(step: Int64) throws {
        var fixture = Self.fixture()
        fixture.answer(.retry(after: 60_000, scope: .delivery, reason: "429"))
        let due = try #require(fixture.settled.last?.nextAttempt)
        #expect((60_000...61_000).contains(due.milliseconds(since: fixture.now.due)))
        Self.set(&fixture, by: step)
        fixture.tell([.page(.bulk, .success(DuePage(deliveries: [], nextDue: due)))])
        let before = fixture.loads.count
        fixture.wait(61_000)
        #expect(fixture.loads.count > before)
    }

    @Test("expires what its time has passed for: that is what the bank sees")
    func expiry() {
        var fixture = DispatchFixture()
        fixture.accept(DispatchFixture.notification(timeout: 600))
        fixture.answer(.retry(after: nil, scope: .delivery, reason: "429"))
        Self.set(&fixture, by: 70 * 60_000)
        fixture.wait(1_000)
        #expect(fixture.settled.last?.status == .expired)
    }
}
