// SPDX-License-Identifier: Apache-2.0

internal import Bus
internal import CLinux
internal import Collections
internal import Glibc
internal import Synchronization
internal import Threads

/// Numbers a server keeps, read by other threads.
final class ServerCounts: Sendable {
    let accepted = Atomic(0)
    let open = Atomic(0)
    let requests = Atomic(0)
    let mostStreams = Atomic(0)
    let protocolErrors = Atomic(0)

    func noteStreams(_ count: Int) {
        if count > mostStreams.load(ordering: .relaxed) { mostStreams.store(count, ordering: .relaxed) }
    }
}

/// What other threads ask of a server.
enum ServerMessage: Sendable {
    case perform(HTTP2ServerAction, HTTP2ServerStream)
    case performOnAll(HTTP2ServerAction)
    case maxConcurrentStreams(UInt32)
    case stop
}

/// The loop of a server's one thread.
final class ServerCore: PollTarget {
    private final class Later: TimerHeapElement {
        let action: HTTP2ServerAction
        let connection: UInt64
        let stream: Int32
        var timerPosition = -1

        init(_ action: HTTP2ServerAction, _ connection: UInt64, _ stream: Int32) {
            self.action = action
            self.connection = connection
            self.stream = stream
        }
    }

    let configuration: HTTP2ServerConfiguration
    let handler: @Sendable (HTTP2ServerRequest) -> HTTP2ServerAction
    let counts: ServerCounts
    let poller: Poller
    let packer = FieldPacker()
    private(set) var maxConcurrentStreams: UInt32
    private let inbox: Inbox<ServerMessage>
    private let context: TLSContext?
    private let listener: Int32
    private var connections: [UInt64: ServerConnection] = [:]
    private var touched: [ServerConnection] = []
    private var timers = TimerHeap<Later>()
    private var isStopped = false

    init(_ plan: ServerPlan) {
        configuration = plan.configuration
        handler = plan.handler
        counts = plan.counts
        inbox = plan.inbox
        context = plan.context
        listener = plan.listener
        maxConcurrentStreams = plan.configuration.maxConcurrentStreams
        poller = Poller(bell: plan.inbox.bell)
    }

    func run() {
        busd_block_sigpipe()
        let token = poller.add(self, listener, EPOLLIN.rawValue)
        while !isStopped { turn() }
        poller.remove(token, listener)
        for connection in connections.values { connection.close() }
        _ = inbox.close()
        Glibc.close(listener)
    }

    private func turn() {
        let messages = inbox.take(sleeps: !poller.hasUnfinished)
        for message in messages { handle(message) }
        flush()
        let isBusy = !messages.isEmpty || poller.hasUnfinished
        let now = MonotonicTime.now()
        poller.wait(Poller.timeout(until: isBusy ? now : timers.next, now: now))
        runTimers()
        flush()
    }

    private func flush() {
        while let connection = touched.popLast() { connection.flush() }
    }

    private func runTimers() {
        guard timers.next != nil else { return }
        let now = MonotonicTime.now()
        while let due = timers.popDue(at: now) { connections[due.connection]?.perform(due.action, on: due.stream) }
    }

    private func handle(_ message: ServerMessage) {
        switch message {
        case .perform(let action, let stream): connections[stream.connection]?.perform(action, on: stream.number)
        case .performOnAll(let action): for connection in connections.values { connection.perform(action, on: 0) }
        case .maxConcurrentStreams(let limit):
            maxConcurrentStreams = limit
            for connection in connections.values { connection.setMaxConcurrentStreams(limit) }
        case .stop: isStopped = true
        }
    }

    /// The listener has connections to give.
    func ready(_ events: UInt32) {
        for _ in 0..<64 {
            let descriptor = busd_accept(listener)
            guard descriptor >= 0 else { return }
            guard connections.count < configuration.maxConnections, let wire = makeWire(descriptor) else {
                Glibc.close(descriptor)
                continue
            }
            let identifier = UInt64(counts.accepted.add(1, ordering: .relaxed).newValue)
            counts.open.add(1, ordering: .relaxed)
            let connection = ServerConnection(identifier, wire, core: self)
            connections[identifier] = connection
            connection.ready(0)
        }
    }

    private func makeWire(_ descriptor: Int32) -> Wire? {
        guard let context else { return Wire(takingOver: descriptor) }
        return Wire(accepting: descriptor, context: context)
    }

    func closed(_ connection: ServerConnection) {
        connections[connection.identifier] = nil
        counts.open.subtract(1, ordering: .relaxed)
    }

    func touch(_ connection: ServerConnection) {
        guard !connection.isTouched else { return }
        connection.isTouched = true
        touched.append(connection)
    }

    func later(_ delay: UInt64, _ action: HTTP2ServerAction, _ connection: UInt64, _ stream: Int32) {
        timers.set(Later(action, connection, stream), at: MonotonicTime.now().adding(nanoseconds: delay))
    }
}

/// What a server's thread starts with.
struct ServerPlan: Sendable {
    let configuration: HTTP2ServerConfiguration
    let context: TLSContext?
    let listener: Int32
    let inbox: Inbox<ServerMessage>
    let counts: ServerCounts
    let handler: @Sendable (HTTP2ServerRequest) -> HTTP2ServerAction
}
