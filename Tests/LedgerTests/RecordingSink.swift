// SPDX-License-Identifier: Apache-2.0

import Engine
import Synchronization

/// Remembers what a ledger told.
final class RecordingSink: LedgerEventSink {
    private let heard = Mutex<[LedgerEvent]>([])

    func take(_ events: [LedgerEvent]) { heard.withLock { $0 += events } }

    var events: [LedgerEvent] { heard.withLock { $0 } }

    /// What was accepted, in its order.
    var accepted: [AcceptedNotification] {
        events.flatMap { event -> [AcceptedNotification] in
            if case .accepted(let notifications) = event { notifications } else { [] }
        }
    }

    /// How often there was something new to tell a bank.
    var callbacks: Int { events.reduce(0) { if case .callbacks = $1 { $0 + 1 } else { $0 } } }
}
