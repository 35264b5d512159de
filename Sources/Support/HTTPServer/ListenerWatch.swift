// SPDX-License-Identifier: Apache-2.0

import Bus
import Synchronization
import Threads

/// Sees to it that listeners that serve nobody are noticed: by the log, and by whoever asks.
final class ListenerWatch: Sendable {
    private let listeners: [Listener]
    private let log: Log
    private let ended = Mailbox<Void>(capacity: 1)
    private let thread: Mutex<NamedThread?>
    private let known = Mutex<[String]>([])

    private let interval: Int64

    init(_ listeners: [Listener], patience: Int64, log: Log) {
        self.listeners = listeners
        interval = patience / 5
        self.log = log
        thread = Mutex(nil)
    }

    /// Begins to watch.
    func start() {
        let started = NamedThread("http-watch") { [listeners, ended, interval] in
            // One that is dead must not make the others seem so.
            let patience = interval / Int64(max(1, listeners.count))
            while true {
                for listener in listeners { listener.takePulse(patience: patience) }
                let next = MonotonicTime.now().adding(milliseconds: interval)
                guard let taken = ended.take(until: next), taken.isEmpty else { return }
            }
        }
        thread.withLock { $0 = started }
    }

    /// Ends the watch; before the listeners' daemons are stopped.
    func stop() {
        ended.post(())
        let taken = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        taken?.join()
    }

    /// What is wrong with the listeners, a sentence each; what is new is logged.
    ///
    /// Whoever asks for readiness asks here, for the watch's own thread may hang in what it watches.
    func troubles() -> [String] {
        let now = MonotonicTime.now()
        let found = listeners.compactMap { listener in listener.trouble(now: now).map { "\(listener.address): \($0)" } }
        let before = known.withLock { known in
            defer { known = found }
            return known
        }
        for trouble in found where !before.contains(trouble) {
            log.error("a listener does not serve", ["reason": trouble])
        }
        for trouble in before where !found.contains(trouble) {
            log.info("a listener serves again", ["reason": "no longer so: \(trouble)"])
        }
        return found
    }
}
