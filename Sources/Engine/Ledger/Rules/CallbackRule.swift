// SPDX-License-Identifier: Apache-2.0

package import Bus

/// When banks hear what, and what becomes of the lines that callbacks wait in.
///
/// Pure; any thread.
package enum CallbackRule {
    /// How long an expiry waits for others of its notification, in milliseconds.
    package static let gathering: Int64 = 1_000

    /// When something happened by the clock that waits are measured by: never later than now, though the wall clock was
    /// set back since.
    package static func since(_ at: WallTime, now: ClockReading) -> DueTime { min(now.due, now.due(at: at)) }

    /// When a line that opens for this is due.
    ///
    /// One that was open keeps its time.
    package static func due(_ kind: BankEvent.Kind, since: DueTime) -> DueTime {
        since.adding(milliseconds: kind == .expired ? gathering : 0)
    }

    /// How many callbacks at the head of a line one call tells, by their kinds.
    package static func headLength(_ kinds: some Sequence<BankEvent.Kind>) -> Int {
        var first: BankEvent.Kind?
        var count = 0
        for kind in kinds {
            guard count < QueuedCallback.mostUsers, joins(kind, first) else { break }
            first = first ?? kind
            count += 1
        }
        return count
    }

    /// Whether a callback belongs to the call that one of the kind `first` begins.
    package static func joins(_ kind: BankEvent.Kind, _ first: BankEvent.Kind?) -> Bool {
        first == nil || kind == first && kind.isGathered
    }

    /// What becomes of a line.
    package struct LineChange: Sendable, Equatable {
        /// When its next call is due.
        ///
        /// A line without callbacks is gone.
        package let due: DueTime
        /// The failed attempts at that call.
        package let attempts: Int
        /// Whether the call's callbacks leave it.
        package let removesCall: Bool
        /// Where they become a dead letter: the attempts made, and what was wrong.
        package let deadLettering: DeadLettering?
    }

    /// Why a call becomes a dead letter.
    package struct DeadLettering: Sendable, Equatable {
        /// The attempts made.
        package let attempts: Int
        /// What was wrong the last time.
        package let reason: String
    }

    /// What follows for a line from what became of its call.
    package static func settle(_ end: CallbackSettlement.End, now: DueTime) -> LineChange {
        switch end {
        case .told: LineChange(due: now, attempts: 0, removesCall: true, deadLettering: nil)
        case .later(let due, let attempts):
            LineChange(due: due, attempts: attempts, removesCall: false, deadLettering: nil)
        case .dead(let attempts, let reason):
            LineChange(
                due: now,
                attempts: 0,
                removesCall: true,
                deadLettering: DeadLettering(attempts: attempts, reason: reason)
            )
        }
    }
}

extension BankEvent.Kind {
    /// Whether one call tells it of several users.
    package var isGathered: Bool {
        switch self {
        case .expired, .failed: true
        case .opened, .delivered: false
        }
    }
}
