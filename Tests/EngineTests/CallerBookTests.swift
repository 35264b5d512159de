// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import Engine

struct CallerBookTests {
    private func at(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: 1_000_000_000_000).adding(milliseconds: milliseconds)
    }

    @Test func guessesOfOneAddressAreAnsweredEverLaterAndThoseOfOthersAreNot() {
        var book = CallerBook()
        let delays = (0..<12).map { book.refused("a", isGuess: true, now: at($0 * 10)).delay }
        #expect(delays[..<5].allSatisfy { $0 == .zero })
        #expect(delays[5...].elementsEqual([100, 200, 400, 800, 1_600, 2_000, 2_000].map { .milliseconds($0) }))
        #expect(book.refused("b", isGuess: true, now: at(200)).delay == .zero)
        // Who shows nothing does not guess.
        #expect(book.refused("a", isGuess: false, now: at(200)).delay == .zero)
        #expect(book.refused("a", isGuess: true, now: at(300)).delay == .seconds(2))
        // Half of them are forgotten in a minute.
        #expect(book.refused("a", isGuess: true, now: at(60_400)).delay == .milliseconds(200))
        #expect(book.refused("a", isGuess: true, now: at(86_400_000)).delay == .zero)
    }

    @Test func aCallerHasALineASecondAndItSaysHowManyThereWere() {
        var book = CallerBook()
        let lines = (0..<25).map { book.refused("a", isGuess: false, now: at($0 * 100)).line }
        #expect(lines.enumerated().filter { $0.element != nil }.map(\.offset) == [0, 10, 20])
        #expect(lines.compactMap { $0 } == [0, 9, 9])
    }

    @Test func manyCallersTogetherHaveFewLinesAndTheTableIsBounded() {
        var book = CallerBook(capacity: 100)
        let lines = (0..<10_000).map { book.refused("\($0)", isGuess: true, now: at(0)).line }
        #expect(lines.count { $0 != nil } == 20)
        #expect(book.count <= 200)
    }
}
