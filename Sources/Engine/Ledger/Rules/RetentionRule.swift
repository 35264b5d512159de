// SPDX-License-Identifier: Apache-2.0

package import Bus

/// What may be forgotten.
///
/// Pure; any thread.
package enum RetentionRule {
    /// What still needs a notification.
    package struct Needs: Sendable, Equatable {
        /// A delivery of it is open.
        package var hasOpen: Bool
        /// A bank is still to hear of it.
        package var hasCallbacks: Bool
        /// It has dead letters, which name it.
        package var hasDeadLetters: Bool
        /// A bank is to hear, when its time has passed, who had no receipt.
        package var awaitsConfirmation: Bool

        /// Describes what needs it.
        package init(hasOpen: Bool, hasCallbacks: Bool, hasDeadLetters: Bool, awaitsConfirmation: Bool) {
            self.hasOpen = hasOpen
            self.hasCallbacks = hasCallbacks
            self.hasDeadLetters = hasDeadLetters
            self.awaitsConfirmation = awaitsConfirmation
        }

        /// Whether anything does.
        package var any: Bool { hasOpen || hasCallbacks || hasDeadLetters || awaitsConfirmation }
    }

    /// Whether a notification was kept long enough.
    ///
    /// The last one stays whatever its age: numbers go on from it, and message ids are made of numbers.
    package static func isOld(accepted: WallTime, before: WallTime, isLast: Bool) -> Bool {
        accepted < before && !isLast
    }

    /// Whether a notification's time has passed, so that its PIN code is erased and its bank hears who confirmed
    /// nothing.
    ///
    /// What still has open deliveries is left to those who end them: what it says is needed until then.
    package static func isOver(accepted: WallTime, expires: WallTime, hasOpen: Bool, now: WallTime) -> Bool {
        NotificationTime.end(accepted: accepted, expires: expires) <= now && !hasOpen
    }

    /// The names of an app's events that are forgotten: beyond so many, those that were not heard of for longest.
    package static func forgottenEvents(_ last: [String: WallTime]) -> [String] {
        last.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.dropFirst(NewAppEvent.namesKept).map(\.key)
    }
}
