// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import Testing

@Suite("Rules: callbacks and dead letters")
struct CallbackRuleTests {
    private static let now = ClockReading(wall: .noon, monotonic: .after(1), due: DueTime(milliseconds: 50_000))

    @Test("A bank hears of ends, by kind, and of nothing that is still under way")
    func kinds() {
        let told = DeliveryStatus.allCases.map(\.news)
        let wanted = DeliveryStatus.allCases.map { status -> BankEvent.Kind? in
            switch status {
            case .expired: .expired
            case .sendingFailed, .invalidSubscription: .failed
            default: nil
            }
        }
        #expect(told == wanted)
        for status in DeliveryStatus.allCases { #expect((status.news != nil) == status.isVerdict) }
    }

    @Test("A line is due since what opened it, later by a second where others may follow, and never in the future")
    func due() {
        #expect(CallbackRule.since(.noon + -3_000, now: Self.now) == DueTime(milliseconds: 47_000))
        #expect(CallbackRule.since(.noon + 3_000, now: Self.now) == Self.now.due)
        for kind in [BankEvent.Kind.expired, .failed, .opened, .delivered] {
            let wait: Int64 = kind == .expired ? 1_000 : 0
            #expect(CallbackRule.due(kind, since: Self.now.due) == Self.now.due.adding(milliseconds: wait))
        }
    }

    @Test("One call tells what is at the head of a line: a run of ends, or a single word of a phone")
    func heads() {
        let kinds: [BankEvent.Kind] = [.expired, .failed, .opened, .delivered]
        for first in kinds {
            for second in kinds {
                for third in kinds {
                    let length = CallbackRule.headLength([first, second, third])
                    let gathers = first == .expired || first == .failed
                    let wanted = gathers && second == first ? (third == first ? 3 : 2) : 1
                    #expect(length == wanted, "\(first) \(second) \(third)")
                }
            }
        }
        #expect(CallbackRule.headLength([]) == 0)
        #expect(CallbackRule.headLength(repeatElement(.expired, count: 1_200)) == QueuedCallback.mostUsers)
    }

    @Test("A call that was told or is dead leaves its line, which goes on; one for later keeps the line waiting")
    func lines() {
        let now = Self.now.due
        let told = CallbackRule.settle(.told, now: now)
        #expect(told.removesCall && told.deadLettering == nil && told.due == now && told.attempts == 0)
        let later = CallbackRule.settle(.later(due: DueTime(milliseconds: 70_000), attempts: 3), now: now)
        #expect(!later.removesCall && later.deadLettering == nil)
        #expect(later.due == DueTime(milliseconds: 70_000) && later.attempts == 3)
        let dead = CallbackRule.settle(.dead(attempts: 9, reason: "refused"), now: now)
        #expect(dead.removesCall && dead.due == now && dead.attempts == 0)
        #expect(dead.deadLettering?.attempts == 9 && dead.deadLettering?.reason == "refused")
    }

    @Test("A dead letter keeps of whom, and since when; a replay tells the same of the same")
    func deadLettering() {
        #expect(DeadLetterRule.deadLetter([]) == nil)
        let callbacks = [3, 1, 2].map { LineCallback(delivery: $0, kind: .failed, at: .noon + $0) }
        let remains = DeadLetterRule.deadLetter(callbacks)
        #expect(remains?.deliveries == [3, 1, 2])
        #expect(remains?.at == .noon + 1)
        #expect(remains?.callbacks.map(\.delivery) == [3, 1, 2])
        #expect(DeadLetterRule.deadLetter(remains?.callbacks ?? []) == remains)
    }
}
