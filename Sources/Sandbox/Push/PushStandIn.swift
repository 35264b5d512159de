// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import Synchronization
import Threads

/// Stands in for one provider's service: checks what the provider checks, fails where a rule says so.
///
/// Push providers speak HTTP/2 over TLS; an SMS gateway plain HTTP.
public final class PushStandIn: Sendable {
    /// What the server's thread and those who ask share.
    private struct State: Awaited {
        var desk: any PushDesk
        var arrivals = Arrivals()
        var total: Int { desk.records.total }

        mutating func react(
            to request: PushRequest,
            on connection: UInt64,
            at now: Int64
        ) -> (PushReaction, [CheckedContinuation<Void, Never>]) {
            let reaction = desk.react(to: request, on: connection, at: now)
            return (reaction, arrivals.take(at: desk.records.total))
        }
    }

    /// The base URL: `https://127.0.0.1:PORT`; of an SMS gateway the URL that takes messages.
    public let endpoint: String
    /// The port.
    public let port: UInt16
    private let state: SharedState<State>
    /// The server where it speaks HTTP/2.
    private let server: HTTP2Server?
    private let plain: PlainServer?

    /// Starts a server that asks `desk` what to do.
    init(port: UInt16, keys: SandboxKeys, desk: any PushDesk, streams: Int, name: String) throws {
        let state = SharedState(State(desk: desk))
        let tls = HTTP2ServerTLS(certificate: Array(keys.server.certificate.utf8), key: Array(keys.server.key.utf8))
        var configuration = HTTP2ServerConfiguration(port: port, tls: tls)
        configuration.maxConcurrentStreams = UInt32(streams)
        let server = try HTTP2Server(configuration, name: name) { Self.answer($0, state) }
        self.server = server
        plain = nil
        self.state = state
        self.port = server.port
        let endpoint = "https://127.0.0.1:\(server.port)"
        self.endpoint = endpoint
        state.value.withLock { $0.desk.opened(at: endpoint) }
    }

    /// Starts a server of the caller's, which asks `desk` what to do, under a path.
    init(
        desk: any PushDesk,
        path: String,
        start: (@escaping @Sendable (PushRequest) -> PushReaction) throws -> PlainServer
    ) throws {
        let state = SharedState(State(desk: desk))
        let server = try start { Self.react(to: $0, on: 0, state) }
        self.state = state
        self.server = nil
        plain = server
        port = server.port
        endpoint = "http://127.0.0.1:\(server.port)\(path)"
    }

    private static func react(
        to request: PushRequest,
        on connection: UInt64,
        _ state: SharedState<State>
    ) -> PushReaction {
        let (reaction, arrived) = state.value.withLock {
            $0.react(to: request, on: connection, at: WallTime.now().milliseconds)
        }
        for waiter in arrived { waiter.resume() }
        return reaction
    }

    private static func answer(_ request: HTTP2ServerRequest, _ state: SharedState<State>) -> HTTP2ServerAction {
        HTTP2ServerAction(react(to: PushRequest(request), on: request.stream.connection, state))
    }

    /// The latest requests in the order of arrival, refused ones included; of one token only, where one is given.
    public func records(token: String? = nil) -> [PushRecord] {
        let all = state.value.withLock { $0.desk.records.all }
        guard let token else { return all }
        return all.filter { $0.token == token }
    }

    /// Forgets all records.
    public func removeRecords() { state.value.withLock { $0.desk.records.removeAll() } }

    /// Waits until so many requests have arrived since the start or the last ``removeRecords()``, or the task is
    /// cancelled.
    public func arrived(_ count: Int) async { await state.arrived(count) }

    /// The rules that still meet something.
    public var rules: [PushRule] { state.value.withLock { $0.desk.rules.current(at: WallTime.now().milliseconds) } }

    /// Puts rules in place of all others; none lets everything pass.
    public func setRules(_ rules: [PushRule]) {
        state.value.withLock { $0.desk.rules.replace(with: rules, at: WallTime.now().milliseconds) }
    }

    /// Connections accepted, open now, and the most streams that one had at once.
    public var counters: (accepted: Int, open: Int, mostStreams: Int) {
        guard let counters = server?.counters else { return (0, 0, 0) }
        return (counters.acceptedConnections, counters.openConnections, counters.mostConcurrentStreams)
    }

    /// Tells every connection GOAWAY and lets its streams end, as providers do before maintenance.
    public func sayGoAway() { server?.performOnAllConnections(.goAway(.all)) }

    /// Cuts every connection.
    public func dropConnections() { server?.performOnAllConnections(.drop) }

    /// Ends the server.
    func stop() async {
        await plain?.stop()
        guard let server else { return }
        await withCheckedContinuation { continuation in
            // Joining the server's thread is not for a thread of the pool.
            _ = NamedThread("sandbox-stop") {
                server.stop()
                continuation.resume()
            }
        }
    }
}

/// A server of plain HTTP that a stand-in runs on.
struct PlainServer: Sendable {
    let port: UInt16
    let stop: @Sendable () async -> Void
}
