// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
public import Synchronization

/// What other threads leave for one that waits for descriptors, and a bell that is rung only while it sleeps.
public final class Inbox<Message: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var messages: [Message] = []
        @usableFromInline var isAsleep = false
        @usableFromInline var isClosed = false
    }

    @usableFromInline let state = Mutex(State())

    /// An eventfd, readable once it was rung.
    public let bell: Int32

    /// Creates an empty inbox.
    public init() {
        bell = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        precondition(bell >= 0, "the system refused an eventfd")
    }

    deinit { Glibc.close(bell) }

    /// Leaves a message; returns `false` where the thread that reads the inbox has ended.
    @inlinable
    public func post(_ message: Message) -> Bool {
        let (isTaken, mustRing) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.messages.append(message)
            defer { state.isAsleep = false }
            return (true, state.isAsleep)
        }
        if mustRing { ring() }
        return isTaken
    }

    @usableFromInline
    func ring() { eventfd_write(bell, 1) }

    /// Takes what has come.
    ///
    /// Where nothing has, and `sleeps`, whoever posts next rings the bell.
    @inlinable
    public func take(sleeps: Bool) -> [Message] {
        state.withLock { state in
            state.isAsleep = sleeps && state.messages.isEmpty
            guard !state.messages.isEmpty else { return [] }
            var taken: [Message] = []
            swap(&taken, &state.messages)
            return taken
        }
    }

    /// Refuses what comes from now on; returns what had come before.
    public func close() -> [Message] {
        state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
    }
}
