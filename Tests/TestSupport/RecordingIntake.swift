// SPDX-License-Identifier: Apache-2.0

public import Bus
import Synchronization

/// A bus that notes what it is given and says what the test wants.
public final class RecordingIntake: Intake {
    private let taken = Mutex<[Message]>([])
    private let reply: Reply

    /// Creates one that answers everything alike.
    public init(_ reply: Reply) { self.reply = reply }

    /// What it was given.
    public var messages: [Message] { taken.withLock { $0 } }

    /// Notes a message.
    public func submit(_ message: Message) async -> Reply {
        taken.withLock { $0.append(message) }
        return reply
    }
}
