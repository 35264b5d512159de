// SPDX-License-Identifier: Apache-2.0

internal import Bus
internal import CLinux
internal import Glibc

/// Something whose descriptor a ``Poller`` watches.
protocol PollTarget: AnyObject {
    func ready(_ events: UInt32)
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
