// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD
import Glibc
import Synchronization
import Threads

/// What libmicrohttpd's callbacks work on.
///
/// They run on the thread that drives it and never block.
final class ServerCore: Sendable {
    let state: Mutex<ServerState>
    let options: HTTPServerOptions
    let linger = Linger()
    /// Told when the last request of a server that stops is answered.
    private let allAnswered = Mailbox<Void>(capacity: 1)
    /// How many milliseconds clients have to take their answers then.
    private static let patience: Int64 = 1_000
    /// Bytes of all bodies now in memory.
    private let bodyMemory = Atomic(0)

    init(routes: [HTTPRoute], options: HTTPServerOptions) {
        state = Mutex(ServerState(table: RouteTable(routes)))
        self.options = options
    }

    /// Opens an address: its socket, its daemon and its acceptor.
    ///
    /// The core must outlive the listener's daemon.
    func open(_ address: ListenAddress, tls: HTTPServerTLS?, log: Log) throws(HTTPServerError) -> Listener {
        let socket = try address.listen(backlog: 4096)
        let table = ConnectionTable(options.connectionLimits, isTLS: tls != nil, linger: linger)
        let loop = ServerLoop(core: self, table: table)
        loop.start(try start(for: address, tls: tls, table: table, loop: loop))
        let bound = address.with(port: socket.port)
        return Listener(
            address: bound,
            socket: socket,
            loop: loop,
            table: table,
            isTLS: tls != nil,
            patience: options.silence,
            log: log
        )
    }

    /// Starts a daemon that the loop is to drive; table and loop must outlive it too.
    private func start(
        for address: ListenAddress,
        tls: HTTPServerTLS?,
        table: ConnectionTable,
        loop: ServerLoop
    ) throws(HTTPServerError) -> OpaquePointer {
        var settings = settings
        settings.context = Unmanaged.passUnretained(loop).toOpaque()
        settings.connection = ConnectionTable.callback
        settings.connection_context = Unmanaged.passUnretained(table).toOpaque()
        let daemon =
            if let tls {
                tls.withPointers(&settings) { busd_mhd_start(&$0) }
            } else {
                busd_mhd_start(&settings)
            }
        guard let daemon else {
            let reason = tls == nil ? String(cString: strerror(errno)) : "the certificate or its key does not load"
            throw HTTPServerError("\(address): the HTTP server did not start: \(reason)")
        }
        return daemon
    }

    private var settings: busd_mhd_options {
        var settings = busd_mhd_options()
        settings.idle_seconds = UInt32(clamping: options.idleSeconds)
        settings.connection_memory = options.connectionMemory
        settings.begin = Self.begin
        settings.handler = Self.handle
        settings.completed = Self.completed
        settings.is_driven = 1
        return settings
    }

    /// Answers what is still running with 503, so that libmicrohttpd may be stopped: it aborts the process where a
    /// connection is suspended then.
    func resumeAll() {
        for exchange in state.withLock({ $0.stop() }) { exchange.finish(.refusal(.stopping)) }
    }

    /// Blocks until what ``resumeAll()`` answers is on its way: libmicrohttpd closes connections without another look.
    func waitForAnswers() {
        guard !state.withLock({ $0.isAnswered }) else { return }
        _ = allAnswered.take(until: .now().adding(milliseconds: Self.patience))
    }

    // MARK: Body memory

    /// Takes room for a part of a body; `false` where all bodies together have taken what there is.
    func reserve(_ count: Int, for exchange: Exchange) -> Bool {
        let total = bodyMemory.add(count, ordering: .relaxed).newValue
        exchange.reserved += count
        return total <= options.bodyMemory
    }

    func giveBack(_ exchange: Exchange) {
        if exchange.reserved > 0 { bodyMemory.subtract(exchange.reserved, ordering: .relaxed) }
        exchange.reserved = 0
    }

    // MARK: Callbacks

    private static let begin:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
            raw,
            target,
            _ in
            guard let raw else { return nil }
            let exchange = Exchange(target: target.map { String(cString: $0) } ?? "")
            exchange.loop = Unmanaged<ServerLoop>.fromOpaque(raw).takeUnretainedValue()
            return Unmanaged.passRetained(exchange).toOpaque()
        }

    private static let handle: MHD_AccessHandlerCallback = { raw, connection, _, method, _, data, size, slot in
        guard let raw, let connection, let method, let size, let held = slot?.pointee else { return .NO }
        let core = Unmanaged<ServerLoop>.fromOpaque(raw).takeUnretainedValue().core
        let exchange = Unmanaged<Exchange>.fromOpaque(held).takeUnretainedValue()
        let part = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee)
        size.pointee = 0
        return core.advance(exchange, connection, method: method, part: part) ? .YES : .NO
    }

    private static let completed: MHD_RequestCompletedCallback = { raw, connection, slot, _ in
        if let client = connection.flatMap(Connection.of) { client.enter(client.scanner.phase, now: .now()) }
        guard let raw, let held = slot?.pointee else { return }
        slot?.pointee = nil
        let core = Unmanaged<ServerLoop>.fromOpaque(raw).takeUnretainedValue().core
        let exchange = Unmanaged<Exchange>.fromOpaque(held).takeRetainedValue()
        core.giveBack(exchange)
        if exchange.phase == .running { exchange.abandon() }
        guard exchange.isCounted else { return }
        let (waiter, isLast) = core.state.withLock { ($0.end(exchange), $0.isAnswered) }
        waiter?.resume()
        if isLast { core.allAnswered.post(()) }
    }
}
