// SPDX-License-Identifier: Apache-2.0

import Bus

/// What operators hear of links, and do about them.
extension CallbackDispatch {
    /// The bank answered as it should, whatever it said.
    mutating func answered(_ link: Int, hasTaken: Bool, to began: MonotonicTime, at now: ClockReading) {
        let hadFailed = hasTaken && links[link].failures.hasTold
        let worksAgain = links[link].health.answered(to: began, at: now.monotonic)
        guard worksAgain || hadFailed && links[link].health.isWorking else {
            return
        }
        links[link].failures.reset()
        actions.append(.note(.info, "the bank can be told again", link: links[link].label, reason: ""))
    }

    /// The link was suspended just now.
    mutating func suspended(_ link: Int, _ level: Log.Level, _ why: String, _ reason: String) {
        links[link].problem = reason
        actions.append(.note(level, "link suspended: \(why)", link: links[link].label, reason: reason))
    }

    /// Tells of a failure that does not suspend the link: the first at once, those that follow once a minute.
    mutating func tellFailure(_ link: Int, _ words: String, _ reason: String, at now: ClockReading) {
        guard links[link].health.isWorking else { return }
        // Where others were held back and their time has come, this one is told in their place.
        let isDue =
            links[link].failures.takeHeld(at: now.monotonic) != nil || links[link].failures.takes(at: now.monotonic)
        guard isDue else { return }
        actions.append(.note(.warning, words, link: links[link].label, reason: reason))
    }

    /// Tells of dead letters that were counted only.
    mutating func tellDeaths(_ link: Int, at now: ClockReading) {
        guard let count = links[link].deaths.takeHeld(at: now.monotonic) else { return }
        let words = "callbacks are dead letters: \(count) more"
        actions.append(.note(.warning, words, link: links[link].label, reason: links[link].problem))
    }

    /// Stops a link or lets it go on.
    mutating func pause(_ label: String, _ isPaused: Bool, at now: ClockReading) {
        for link in links.indices where links[link].label == label {
            links[link].isPaused = isPaused
            if !isPaused { links[link].health.tryNow(at: now.monotonic) }
        }
    }

    /// How the links are.
    var reports: [LinkReport] {
        links.map { link in
            LinkReport(
                label: link.label,
                isPaused: link.isPaused,
                isSuspended: !link.health.isWorking,
                reason: link.health.isWorking ? nil : link.problem,
                underWay: link.flights
            )
        }
    }
}
