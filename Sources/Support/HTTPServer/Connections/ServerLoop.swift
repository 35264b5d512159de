// SPDX-License-Identifier: Apache-2.0

import Bus
import CLinux
import CMicroHTTPD
import CReadTap
import Glibc
import Threads

/// The thread that drives a listener's libmicrohttpd: it waits for descriptors and for orders, carries the orders
/// out, and lets libmicrohttpd work.
///
/// libmicrohttpd's own epoll thread stalls (0.9.75) when one wake-up brings exactly 128 events, because it waits in
/// between; `MHD_run` never waits. Its poll thread looks at each connection in each turn, idle or not. And what many
/// threads want of it comes as orders, so that a commit that ends a hundred waits is one wake-up and one turn.
///
/// `@unchecked`: the daemon is written once, before the thread starts, and then called by that thread alone until it
/// has ended.
final class ServerLoop: @unchecked Sendable {
    /// A client that was accepted.
    final class Client: Sendable {
        let descriptor: Int32
        let address: sockaddr_storage
        let size: socklen_t

        init(_ descriptor: Int32, _ address: sockaddr_storage, _ size: socklen_t) {
            self.descriptor = descriptor
            self.address = address
            self.size = size
        }
    }

    private enum Order: Sendable {
        case serve(Client)
        /// The connection of an exchange is to have its turn.
        case resume(Exchange)
        case stop
    }

    /// Milliseconds that it sleeps at most: nothing is waited for that would not wake it.
    private static let longestWait: Int32 = 1_000

    let core: ServerCore
    private let table: ConnectionTable
    private let inbox = Inbox<Order>()
    private let epoll: Int32
    private var daemon: OpaquePointer?
    private var thread: NamedThread?

    init(core: ServerCore, table: ConnectionTable) {
        self.core = core
        self.table = table
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(epoll >= 0, "the system refused an epoll descriptor")
        // At its edge: that it was rung is all there is to know, so nobody needs to read it.
        busd_epoll_control(epoll, EPOLL_CTL_ADD, inbox.bell, EPOLLIN.rawValue | EPOLLET.rawValue, 0)
    }

    deinit { close(epoll) }

    /// Begins to drive a daemon.
    func start(_ daemon: OpaquePointer) {
        self.daemon = daemon
        busd_epoll_control(epoll, EPOLL_CTL_ADD, busd_mhd_epoll(daemon), EPOLLIN.rawValue, 0)
        thread = NamedThread("http-serve") { [self] in run() }
    }

    // MARK: From any thread

    /// Hands a client over; `false` where the loop has ended and the descriptor is still the caller's.
    func serve(_ client: Client) -> Bool { inbox.post(.serve(client)) }

    /// Has the connection of an exchange resumed, which must be suspended.
    func resume(_ exchange: Exchange) { _ = inbox.post(.resume(exchange)) }

    /// Ends the thread and closes all connections; none may be suspended that nobody has had resumed.
    func stop() {
        guard let daemon else { return }
        _ = inbox.post(.stop)
        thread?.join()
        MHD_stop_daemon(daemon)
        self.daemon = nil
    }

    // MARK: Its own thread

    private func run() {
        guard let daemon else { return }
        busd_tap_reads(ConnectionTable.tap, Unmanaged.passUnretained(table).toOpaque())
        var events = [busd_event](repeating: busd_event(), count: 64)
        var isOpen = true
        while isOpen {
            let timeout = busd_mhd_timeout(daemon, Self.longestWait)
            var orders = inbox.take(sleeps: timeout > 0)
            if orders.isEmpty, timeout > 0 {
                _ = busd_epoll_wait(epoll, &events, timeout)
                orders = inbox.take(sleeps: false)
            }
            for order in orders { isOpen = perform(order, daemon) && isOpen }
            MHD_run(daemon)
        }
        for order in inbox.close() { _ = perform(order, daemon) }
        MHD_run(daemon)
    }

    /// Returns whether the loop goes on.
    private func perform(_ order: Order, _ daemon: OpaquePointer) -> Bool {
        switch order {
        case .serve(let client): add(client, to: daemon)
        case .resume(let exchange): exchange.connection.map(MHD_resume_connection)
        case .stop: return false
        }
        return true
    }

    private func add(_ client: Client, to daemon: OpaquePointer) {
        let isTaken = withUnsafePointer(to: client.address) { address in
            let address = UnsafeRawPointer(address).assumingMemoryBound(to: sockaddr.self)
            return MHD_add_connection(daemon, client.descriptor, address, client.size) == .YES
        }
        // Where it does not take the client it has closed the socket.
        if !isTaken { table.forget(client.descriptor) }
    }
}
