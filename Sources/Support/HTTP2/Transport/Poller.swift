// SPDX-License-Identifier: Apache-2.0

internal import Bus
internal import CLinux
internal import Glibc
internal import Synchronization

/// Something whose descriptor a ``Poller`` watches.
protocol PollTarget: AnyObject {
    func ready(_ events: UInt32)
}

/// The part of a poller that other threads touch: an inbox, and a bell that is rung only for a sleeping thread.
final class Inbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var isAsleep = false
        var isClosed = false
    }

    private let state = Mutex(State())
    let bell: Int32

    init() {
        bell = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        precondition(bell >= 0, "the system refused an eventfd")
    }

    deinit { Glibc.close(bell) }

    /// Returns `false` where the thread that reads the inbox has ended.
    func post(_ message: Message) -> Bool {
        let (isTaken, mustRing) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.messages.append(message)
            defer { state.isAsleep = false }
            return (true, state.isAsleep)
        }
        if mustRing { eventfd_write(bell, 1) }
        return isTaken
    }

    /// Takes what has come.
    ///
    /// Where nothing has, and `sleeps`, whoever posts next rings the bell.
    func take(sleeps: Bool) -> [Message] {
        state.withLock { state in
            state.isAsleep = sleeps && state.messages.isEmpty
            guard !state.messages.isEmpty else { return [] }
            var taken: [Message] = []
            swap(&taken, &state.messages)
            return taken
        }
    }

    /// Refuses what comes from now on; returns what had come before.
    func close() -> [Message] {
        state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
    }
}

/// epoll for the one thread that owns it.
final class Poller {
    /// Where reads of this thread land before they are parsed.
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private let epoll: Int32
    private let bell: Int32
    private let events = UnsafeMutablePointer<busd_event>.allocate(capacity: 64)
    private var targets: [UInt64: any PollTarget] = [:]
    private var unfinished: Set<UInt64> = []
    private var lastToken: UInt64 = 0

    init(bell: Int32) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(epoll >= 0, "the system refused an epoll descriptor")
        self.bell = bell
        busd_epoll_control(epoll, EPOLL_CTL_ADD, bell, EPOLLIN.rawValue, 0)
    }

    deinit {
        close(epoll)
        input.deallocate()
        events.deallocate()
    }

    func add(_ target: any PollTarget, _ descriptor: Int32, _ interest: UInt32) -> UInt64 {
        lastToken += 1
        targets[lastToken] = target
        busd_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, interest, lastToken)
        return lastToken
    }

    func change(_ token: UInt64, _ descriptor: Int32, _ interest: UInt32) {
        busd_epoll_control(epoll, EPOLL_CTL_MOD, descriptor, interest, token)
    }

    func remove(_ token: UInt64, _ descriptor: Int32) {
        targets[token] = nil
        unfinished.remove(token)
        busd_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0)
    }

    /// Calls the target again in the next turn: it stopped before it had read everything.
    func again(_ token: UInt64) { unfinished.insert(token) }

    var hasUnfinished: Bool { !unfinished.isEmpty }

    /// Waits up to `timeout` milliseconds (-1: without end), then tells the targets.
    func wait(_ timeout: Int32) {
        let count = busd_epoll_wait(epoll, events, timeout)
        let left = unfinished
        unfinished.removeAll(keepingCapacity: true)
        for token in left { targets[token]?.ready(EPOLLIN.rawValue) }
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let event = events[index]
            if event.token == 0 { silence() } else { targets[event.token]?.ready(event.events) }
        }
    }

    private func silence() {
        var value: eventfd_t = 0
        eventfd_read(bell, &value)
    }

    /// Milliseconds until `deadline`, rounded up, for ``wait(_:)``.
    static func timeout(until deadline: MonotonicTime?, now: MonotonicTime) -> Int32 {
        guard let deadline else { return -1 }
        guard deadline > now else { return 0 }
        return Int32(clamping: (deadline.nanoseconds(since: now) + 999_999) / 1_000_000)
    }
}
