// SPDX-License-Identifier: Apache-2.0

import HTTP2
import Synchronization
import Threads

/// Stands in for one provider's service: HTTP/2 over TLS, checks what the provider checks, fails where a rule says so.
public final class PushStandIn: Sendable {
    /// What the server's thread and those who ask share.
    private struct State {
        var desk: any PushDesk
        var arrivals = Arrivals()
        var waiters: UInt64 = 0

        mutating func react(
            to request: PushRequest,
            on connection: UInt64,
            at now: Int64
        ) -> (PushReaction, [CheckedContinuation<Void, Never>]) {
            let reaction = desk.react(to: request, on: connection, at: now)
            return (reaction, arrivals.take(at: desk.records.total))
        }
    }

    /// The base URL: `https://127.0.0.1:PORT`.
    public let endpoint: String
    /// The port.
    public let port: UInt16
    private let state: SharedState<State>
    private let server: HTTP2Server

    /// Starts a server that asks `desk` what to do.
    init(port: UInt16, keys: SandboxKeys, desk: any PushDesk, streams: Int, name: String) throws {
        let state = SharedState(State(desk: desk))
        let tls = HTTP2ServerTLS(certificate: Array(keys.server.certificate.utf8), key: Array(keys.server.key.utf8))
        var configuration = HTTP2ServerConfiguration(port: port, tls: tls)
        configuration.maxConcurrentStreams = UInt32(streams)
        server = try HTTP2Server(configuration, name: name) { Self.answer($0, state) }
        self.state = state
        self.port = server.port
        let endpoint = "https://127.0.0.1:\(server.port)"
        self.endpoint = endpoint
        state.value.withLock { $0.desk.opened(at: endpoint) }
    }

    private static func answer(_ request: HTTP2ServerRequest, _ state: SharedState<State>) -> HTTP2ServerAction {
        let whole = PushRequest(request)
        let (reaction, arrived) = state.value.withLock {
            $0.react(to: whole, on: request.stream.connection, at: Clock.wallMilliseconds())
        }
        for waiter in arrived { waiter.resume() }
        return HTTP2ServerAction(reaction)
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
    public func arrived(_ count: Int) async {
        let id = state.value.withLock { state in
            state.waiters += 1
            return state.waiters
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let done = state.value.withLock { state in
                    state.arrivals.add(id, until: Task.isCancelled ? 0 : count, continuation)
                    return state.arrivals.take(at: state.desk.records.total)
                }
                for waiter in done { waiter.resume() }
            }
        } onCancel: {
            state.value.withLock { $0.arrivals.take(id) }?.resume()
        }
    }

    /// The rules that still meet something.
    public var rules: [PushRule] { state.value.withLock { $0.desk.rules.current(at: Clock.wallMilliseconds()) } }

    /// Puts rules in place of all others; none lets everything pass.
    public func setRules(_ rules: [PushRule]) {
        state.value.withLock { $0.desk.rules.replace(with: rules, at: Clock.wallMilliseconds()) }
    }

    /// Connections accepted, open now, and the most streams that one had at once.
    public var counters: (accepted: Int, open: Int, mostStreams: Int) {
        let counters = server.counters
        return (counters.acceptedConnections, counters.openConnections, counters.mostConcurrentStreams)
    }

    /// Tells every connection GOAWAY and lets its streams end, as providers do before maintenance.
    public func sayGoAway() { server.performOnAllConnections(.goAway(.all)) }

    /// Cuts every connection.
    public func dropConnections() { server.performOnAllConnections(.drop) }

    /// Ends the server; blocks until its thread has ended.
    func stop() { server.stop() }
}

/// A mutex that several owners share.
final class SharedState<Value>: Sendable {
    let value: Mutex<Value>
    init(_ value: sending Value) { self.value = Mutex(value) }
}
