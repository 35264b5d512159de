// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import Testing

@Suite("Rules: tries at a code, and how long what is kept")
struct KeepingRuleTests {
    @Test("Whatever is tried and taken back, nobody looks more often than may be, and nobody once it is over")
    func tries() {
        let now = DueTime(milliseconds: 100)
        for most in 0...4 {
            for tries in 0...5 {
                for left in [-1, 0, 1] as [Int64] {
                    let verdict = VerificationRule.take(
                        tries: tries,
                        of: most,
                        expires: now.adding(milliseconds: left),
                        now: now
                    )
                    switch verdict {
                    case .over: #expect(left <= 0)
                    case .usedUp: #expect(left > 0 && tries >= most)
                    case .tries(let counted):
                        #expect(left > 0 && counted == tries + 1 && counted <= most)
                        #expect(VerificationRule.giveBack(tries: counted) == tries)
                    }
                }
            }
        }
        #expect(VerificationRule.giveBack(tries: 0) == 0)
    }

    @Test("There is room while the numbers of those who wait lie near enough to one another")
    func room() {
        #expect(VerificationRule.hasRoom(first: 0, last: 0))
        #expect(VerificationRule.hasRoom(first: 1, last: VerificationRule.mostWaiting))
        #expect(!VerificationRule.hasRoom(first: 1, last: VerificationRule.mostWaiting + 1))
    }

    @Test("Nothing is forgotten that is young, is the last one, or that anything needs")
    func retention() {
        for age in [-1, 0, 1] as [Int64] {
            for isLast in [true, false] {
                let isOld = RetentionRule.isOld(accepted: .noon + age, before: .noon, isLast: isLast)
                #expect(isOld == (age < 0 && !isLast))
            }
        }
        for bits in 0..<16 {
            let needs = RetentionRule.Needs(
                hasOpen: bits & 1 != 0,
                hasCallbacks: bits & 2 != 0,
                hasDeadLetters: bits & 4 != 0,
                awaitsConfirmation: bits & 8 != 0
            )
            #expect(needs.any == (bits != 0))
        }
    }

    @Test("A notification's time is over when it has passed and nobody works on it; now lasts ten seconds")
    func time() {
        for hasOpen in [true, false] {
            for (timeout, age, isOver) in [
                (5_000, 4_999, false), (5_000, 5_000, true), (0, 9_999, false), (0, 10_000, true),
            ] as [(Int64, Int64, Bool)] {
                let found = RetentionRule.isOver(
                    accepted: .noon,
                    expires: .noon + timeout,
                    hasOpen: hasOpen,
                    now: .noon + age
                )
                #expect(found == (isOver && !hasOpen))
            }
        }
    }

    @Test("Of an app's events those are forgotten that were not heard of for longest")
    func events() {
        let kept = NewAppEvent.namesKept
        let last = Dictionary(uniqueKeysWithValues: (0..<kept + 2).map { ("event \($0)", WallTime.noon + Int64($0)) })
        #expect(RetentionRule.forgottenEvents(last).sorted() == ["event 0", "event 1"])
        #expect(RetentionRule.forgottenEvents(["one": .noon]).isEmpty)
    }
}
