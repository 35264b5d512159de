// SPDX-License-Identifier: Apache-2.0

import Crypto
import HTTP2
import Synchronization
import Threads

/// Stands in for Apple's push service: HTTP/2 over TLS, checks what Apple checks, fails where a rule says so.
public final class APNsStandIn: Sendable {
    /// What the server's thread and those who ask share.
    private struct State {
        /// More than the server has open at once: the oldest are those that have gone.
        static let connectionLimit = 4096

        var desk: APNsDesk
        var connections: [UInt64: APNsDesk.Connection] = [:]
        var arrivals = Arrivals()
        var waiters: UInt64 = 0

        mutating func react(
            to request: APNsRequest,
            on number: UInt64,
            at now: Int64
        ) -> (APNsReaction, [CheckedContinuation<Void, Never>]) {
            if connections.count >= Self.connectionLimit, connections[number] == nil {
                connections = connections.filter { $0.key + UInt64(Self.connectionLimit / 2) > number }
            }
            var connection = connections[number] ?? APNsDesk.Connection(number: Int(number))
            let reaction = desk.react(to: request, on: &connection, at: now)
            connections[number] = connection
            return (reaction, arrivals.take(at: desk.records.total))
        }
    }

    /// The base URL: `https://127.0.0.1:PORT`.
    public let endpoint: String
    /// The port.
    public let port: UInt16
    private let state: SharedState<State>
    private let server: HTTP2Server

    init(port: UInt16, keys: SandboxKeys, options: SandboxOptions) throws {
        let trusted = ProviderKeys(
            team: SandboxKeys.teamID,
            keys: [SandboxKeys.keyID: keys.provider.verifyingKey]
        )
        let desk = APNsDesk(
            keys: trusted,
            checks: APNsChecks(topics: options.topics),
            trustedLimit: options.startsCarefully ? options.streamLimit : nil,
            capacity: options.recordLimit
        )
        let state = SharedState(State(desk: desk))
        let tls = HTTP2ServerTLS(certificate: Array(keys.server.certificate.utf8), key: Array(keys.server.key.utf8))
        var configuration = HTTP2ServerConfiguration(port: port, tls: tls)
        configuration.maxConcurrentStreams = options.startsCarefully ? 1 : UInt32(options.streamLimit)
        server = try HTTP2Server(configuration, name: "sandbox-apns") { Self.answer($0, state) }
        self.state = state
        self.port = server.port
        endpoint = "https://127.0.0.1:\(server.port)"
    }

    private static func answer(_ request: HTTP2ServerRequest, _ state: SharedState<State>) -> HTTP2ServerAction {
        let whole = APNsRequest(request)
        let (reaction, arrived) = state.value.withLock {
            $0.react(to: whole, on: request.stream.connection, at: Clock.wallMilliseconds())
        }
        for waiter in arrived { waiter.resume() }
        return HTTP2ServerAction(reaction)
    }

    /// The latest requests in the order of arrival, refused ones included; of one token only, where one is given.
    public func records(token: String? = nil) -> [APNsRecord] {
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
    public var rules: [APNsRule] { state.value.withLock { $0.desk.rules.current(at: Clock.wallMilliseconds()) } }

    /// Puts rules in place of all others; none lets everything pass.
    public func setRules(_ rules: [APNsRule]) {
        state.value.withLock { $0.desk.rules.replace(with: rules, at: Clock.wallMilliseconds()) }
    }

    /// Connections accepted, open now, and the most streams that one had at once.
    public var counters: (accepted: Int, open: Int, mostStreams: Int) {
        let counters = server.counters
        return (counters.acceptedConnections, counters.openConnections, counters.mostConcurrentStreams)
    }

    /// Tells every connection GOAWAY and lets its streams end, as Apple does before maintenance.
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
