// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD
import Glibc
import Synchronization
import Threads

/// One address: its socket, the thread that accepts, and the one that serves.
///
/// `@unchecked`: `pulseEnd` is touched by the watch's thread alone.
final class Listener: @unchecked Sendable {
    /// Where it listens.
    let address: ListenAddress
    private let socket: ListeningSocket
    private let loop: ServerLoop
    private let table: ConnectionTable
    private let acceptor: Acceptor
    private let thread: NamedThread
    /// How many milliseconds a part of it may be silent before it counts as dead.
    private let patience: Int64
    /// When libmicrohttpd last closed a connection that was given to it for this.
    private let pulse = Atomic(MonotonicTime.now().nanoseconds)
    /// Our end of the connection that it has not closed yet; -1 where it has closed the last.
    private var pulseEnd: Int32 = -1

    init(
        address: ListenAddress,
        socket: ListeningSocket,
        loop: ServerLoop,
        table: ConnectionTable,
        isTLS: Bool,
        patience: Int64,
        log: Log
    ) {
        self.patience = patience
        self.address = address
        self.socket = socket
        self.loop = loop
        self.table = table
        let acceptor = Acceptor(socket: socket, loop: loop, table: table, isTLS: isTLS, log: log)
        self.acceptor = acceptor
        thread = NamedThread("http-accept") { acceptor.run() }
    }

    deinit { if pulseEnd >= 0 { close(pulseEnd) } }

    /// How many connections are open.
    var connections: Int { table.count }

    /// Refuses new connections; those that are open stay.
    func refuse() {
        socket.refuse()
        thread.join()
    }

    /// Closes all connections; none may be suspended, and ``refuse()`` must have been called.
    func stop() { loop.stop() }

    // MARK: Health

    /// Why it serves nobody, or `nil`; on any thread, without waiting.
    func trouble(now: MonotonicTime) -> String? {
        if now.milliseconds(since: acceptor.lastTurn) > patience { return "nobody accepts connections" }
        let pulse = MonotonicTime(nanoseconds: pulse.load(ordering: .relaxed))
        if now.milliseconds(since: pulse) > patience { return "connections are not served" }
        return nil
    }

    /// Gives libmicrohttpd a connection that ends at once, and waits so many milliseconds at most until it has seen that.
    ///
    /// Where it has not, the next call waits for the same one: a listener that is dead must not cost a descriptor a turn.
    func takePulse(patience: Int64) {
        if pulseEnd < 0 { beginPulse() }
        var closed = pollfd(fd: pulseEnd, events: Int16(POLLIN), revents: 0)
        guard pulseEnd >= 0, poll(&closed, 1, Int32(clamping: patience)) == 1 else { return }
        close(pulseEnd)
        pulseEnd = -1
        pulse.store(MonotonicTime.now().nanoseconds, ordering: .relaxed)
    }

    private func beginPulse() {
        var ends: [Int32] = [-1, -1]
        guard busd_socket_pair(&ends) == 0 else { return }
        var address = sockaddr_storage()
        address.ss_family = sa_family_t(AF_INET)
        let client = ServerLoop.Client(ends[1], address, socklen_t(MemoryLayout<sockaddr_in>.size))
        guard loop.serve(client) else {
            close(ends[0])
            close(ends[1])
            return
        }
        shutdown(ends[0], Int32(SHUT_WR))
        pulseEnd = ends[0]
    }
}
