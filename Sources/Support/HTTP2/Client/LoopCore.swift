// SPDX-License-Identifier: Apache-2.0

internal import Bus
internal import CLinux
internal import Threads

/// What other threads ask of a loop.
enum LoopMessage: Sendable {
    case open(Int, PoolPlan)
    case submit(Int, [HTTP2Request])
    case refuse(Int, [UInt64])
    case resolved(Int, Result<[Address], HTTP2Failure>)
    case connect(Int, @Sendable (HTTP2Failure?) -> Void)
    case reconnect(Int, until: MonotonicTime)
    case close(Int, until: MonotonicTime)
    case retire(Int, until: MonotonicTime)
    case forget(Int)
    case stop
}

/// The loop of one thread: takes what was posted, waits for sockets, lets every pool move once a turn.
final class LoopCore {
    let poller: Poller
    /// The time of this turn; set by the loop, and by tests.
    var now = MonotonicTime.now()
    private let inbox: Inbox<LoopMessage>
    private let resolver = Resolver()
    private var pools: [Int: PoolCore] = [:]
    private var isStopped = false

    init(_ inbox: Inbox<LoopMessage>) {
        self.inbox = inbox
        poller = Poller(bell: inbox.bell)
    }

    func run() {
        busd_block_sigpipe()
        while !isStopped { turn() }
        for message in inbox.close() { handle(message) }
        stopPools()
    }

    private func turn() {
        let messages = inbox.take(sleeps: !poller.hasUnfinished)
        now = MonotonicTime.now()
        for message in messages { handle(message) }
        let isBusy = !messages.isEmpty || poller.hasUnfinished
        let before = now
        let deadline = isBusy ? now : pools.values.reduce(.distantFuture) { min($0, $1.wakesAt) }
        poller.wait(Poller.timeout(until: deadline == .distantFuture ? nil : deadline, now: now))
        now = MonotonicTime.now()
        for (identifier, pool) in pools {
            if !isBusy { pool.blocked.slept(now.nanoseconds(since: before)) }
            pool.tick()
            pool.pump()
            if pool.isGone { pools[identifier] = nil }
        }
    }

    private func handle(_ message: LoopMessage) {
        switch message {
        case .open(let identifier, let plan): pools[identifier] = PoolCore(identifier, plan, loop: self)
        case .submit(let identifier, let requests): pools[identifier]?.admit(requests)
        case .refuse(let identifier, let tags): pools[identifier]?.refuse(tags)
        case .resolved(let identifier, let result): pools[identifier]?.resolved(result)
        case .connect(let identifier, let answer):
            guard let pool = pools[identifier] else { return answer(HTTP2Failure(.closed, "the pool is closed")) }
            pool.connect(answer)
        case .reconnect(let identifier, let deadline): pools[identifier]?.reconnect(until: deadline)
        case .close(let identifier, let deadline): pools[identifier]?.close(until: deadline)
        case .retire(let identifier, let deadline): pools[identifier]?.retire(until: deadline)
        case .forget(let identifier):
            pools[identifier]?.isForgotten = true
            pools[identifier]?.close(until: now)
        case .stop: isStopped = true
        }
    }

    func resolve(_ pool: PoolCore) {
        let (inbox, identifier) = (inbox, pool.identifier)
        resolver.resolve(pool.configuration.host, pool.configuration.port) { result in
            _ = inbox.post(.resolved(identifier, result))
        }
    }

    private func stopPools() {
        now = MonotonicTime.now()
        for pool in pools.values {
            pool.close(until: now)
            pool.tick()
            pool.pump()
        }
        pools = [:]
    }
}
