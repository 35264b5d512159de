// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import Threads

/// One thread that drives the connections of any number of pools.
public final class HTTP2Loop: Sendable {
    let inbox: Inbox<LoopMessage>
    private let lastPool = Atomic(0)
    private let thread: NamedThread

    /// Starts the thread.
    public init(name: String = "busd-http2") {
        let inbox = Inbox<LoopMessage>()
        self.inbox = inbox
        thread = NamedThread(name) { LoopCore(inbox).run() }
    }

    deinit { _ = inbox.post(.stop) }

    /// Stops all pools, answers what they hold, and waits for the thread.
    ///
    /// Not to be called from a results closure.
    public func stop() {
        _ = inbox.post(.stop)
        thread.join()
    }

    func nextPool() -> Int { lastPool.add(1, ordering: .relaxed).newValue }
}
