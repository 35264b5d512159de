// SPDX-License-Identifier: Apache-2.0

package import Bus

/// What the decisions about tokens that a provider calls dead do: pure, on any thread.
package enum InvalidTokenRule {
    /// How long what verdicts removed may come back, in milliseconds: a day.
    package static let restorable: Int64 = 86_400_000

    /// What becomes of subscriptions when verdicts on them are taken up.
    package enum End: Sendable, Equatable {
        /// Nothing: the verdicts are forgotten.
        case forget
        /// They end, and are kept aside.
        case setAside
        /// They end for good.
        case remove
    }

    /// What a step does, in this order.
    package struct Course: Sendable, Equatable {
        /// New verdicts whose subscriptions end at once, and are kept aside.
        package var removed: [InvalidToken] = []
        /// New verdicts to be kept.
        package var kept: [InvalidToken] = []
        /// Whether those wait to be judged; otherwise for an operator.
        package var keptWait = false
        /// What is done with the channel's verdicts that are kept; `nil` for nothing.
        package var taken: End?
        /// Whether only with those that wait to be judged.
        package var onlyWaiting = false
        /// Whether those that wait to be judged wait for an operator from now on.
        package var stopsWaiting = false
        /// Whether what the channel's verdicts removed lately comes back.
        package var restores = false
        /// Whether verdicts on what comes back are kept: an operator may still confirm them.
        package var doubtsRestored = false
    }

    /// What a step does.
    package static func course(of step: InvalidTokenStep) -> Course {
        switch step {
        case .remove(let tokens): Course(removed: tokens)
        case .hold(let tokens): Course(kept: tokens, keptWait: true)
        case .quarantine(let tokens): Course(kept: tokens)
        case .removeHeld: Course(taken: .setAside, onlyWaiting: true)
        case .doubt: Course(stopsWaiting: true, restores: true, doubtsRestored: true)
        case .trust: Course(taken: .forget)
        case .release: Course(taken: .forget, restores: true)
        case .confirm: Course(taken: .remove)
        }
    }

    /// Whether what was removed at a moment may still come back.
    package static func isRestorable(removed: WallTime, now: WallTime) -> Bool {
        removed > now.adding(milliseconds: -restorable)
    }
}
