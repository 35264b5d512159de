// SPDX-License-Identifier: Apache-2.0

package import Bus

/// A callback as it waits in its line.
package struct LineCallback: Sendable, Equatable {
    /// Whom it is about.
    package let delivery: Int64
    /// What happened.
    package let kind: BankEvent.Kind
    /// When.
    package let at: WallTime

    /// Describes a callback.
    package init(delivery: Int64, kind: BankEvent.Kind, at: WallTime) {
        self.delivery = delivery
        self.kind = kind
        self.at = at
    }
}

/// What a dead letter keeps, and what comes of it again.
///
/// Pure; any thread.
package enum DeadLetterRule {
    /// What is buried of a call.
    package struct Remains: Sendable, Equatable {
        /// What the bank should have heard.
        package let kind: BankEvent.Kind
        /// Of whom.
        package let deliveries: [Int64]
        /// When it first happened.
        package let at: WallTime

        /// Describes what is buried.
        package init(kind: BankEvent.Kind, deliveries: [Int64], at: WallTime) {
            self.kind = kind
            self.deliveries = deliveries
            self.at = at
        }

        /// The callbacks that a replay puts at the end of its line, as if they had just happened.
        package var callbacks: [LineCallback] {
            deliveries.map { LineCallback(delivery: $0, kind: kind, at: at) }
        }
    }

    /// What is buried of the callbacks of a call; `nil` where none is left of them.
    package static func deadLetter(_ callbacks: [LineCallback]) -> Remains? {
        guard let first = callbacks.first else { return nil }
        return Remains(
            kind: first.kind,
            deliveries: callbacks.map(\.delivery),
            at: callbacks.reduce(first.at) { min($0, $1.at) }
        )
    }
}
