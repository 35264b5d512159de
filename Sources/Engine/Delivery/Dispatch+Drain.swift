// SPDX-License-Identifier: Apache-2.0

/// Whose answers a drain no longer waits for.
enum LeftFlights: Sendable {
    case none, pushes, all
}

extension Dispatch {
    /// Whether a drain waits for answers of far ends.
    ///
    /// What is left unanswered is open in the ledger: pushes go out again after the restart under the same ids. A text
    /// message's gateway is never asked twice: there its outcome is unknown (``finishLost(_:at:)``).
    var isAnswerAwaited: Bool {
        switch left {
        case .none: !flights.isEmpty
        case .pushes: flights.values.contains { $0.device == nil }
        case .all: false
        }
    }
}
