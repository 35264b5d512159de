// SPDX-License-Identifier: Apache-2.0

import Bus
import Synchronization

/// The way into a pipeline that is still being put together: its modules get this before the pipeline exists.
final class IntakeRelay: Intake {
    private let target = Mutex<(any Intake)?>(nil)

    func connect(to intake: any Intake) { target.withLock { $0 = intake } }

    func submit(_ message: Message) async -> Reply {
        guard let intake = target.withLock({ $0 }) else { return .overloaded(retryAfter: 1) }
        return await intake.submit(message)
    }
}
