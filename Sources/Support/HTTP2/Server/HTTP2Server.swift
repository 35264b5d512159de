// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Synchronization
internal import Threads

/// A small HTTP/2 server for stand-ins of push providers: correct with good clients, unkind on demand.
///
/// One thread does everything, the handler included, which therefore must not block.
public final class HTTP2Server: Sendable {
    /// The server could not listen or its certificates cannot be used.
    public struct StartError: Error, Sendable, CustomStringConvertible {
        /// One sentence.
        public let description: String
    }

    /// Numbers of the server's life, each for itself.
    public struct Counters: Sendable, Equatable {
        /// Connections accepted since the start.
        public var acceptedConnections: Int
        /// Connections open now.
        public var openConnections: Int
        /// Whole requests received.
        public var requests: Int
        /// The most streams that one connection had at once, since the start or the last reset.
        public var mostConcurrentStreams: Int
        /// Frames that broke the protocol, streams over the acknowledged limit among them.
        public var protocolErrors: Int
    }

    /// The port it listens on.
    public let port: UInt16
    private let plan: ServerPlan
    private let thread: NamedThread

    /// Listens and starts the thread.
    ///
    /// - Parameters:
    ///   - configuration: where to listen, and the limits to set.
    ///   - name: the thread's name.
    ///   - handler: decides about each whole request; called on the server's thread.
    /// - Throws: ``StartError`` where the port is taken or a certificate or key cannot be used.
    public init(
        _ configuration: HTTP2ServerConfiguration,
        name: String = "busd-h2-server",
        handler: @escaping @Sendable (HTTP2ServerRequest) -> HTTP2ServerAction
    ) throws(StartError) {
        let context = try Self.context(configuration.tls)
        let listener = busd_listen(configuration.port, configuration.isLoopbackOnly ? 1 : 0)
        guard listener >= 0 else {
            throw StartError(description: "cannot listen on port \(configuration.port): \(Wire.text(-listener))")
        }
        port = busd_local_port(listener)
        let plan = ServerPlan(
            configuration: configuration,
            context: context,
            listener: listener,
            inbox: Inbox(),
            counts: ServerCounts(),
            handler: handler
        )
        self.plan = plan
        thread = NamedThread(name) { ServerCore(plan).run() }
    }

    deinit { _ = plan.inbox.post(.stop) }

    private static func context(_ tls: HTTP2ServerTLS?) throws(StartError) -> TLSContext? {
        guard let tls else { return nil }
        do {
            return try TLSContext(server: tls)
        } catch {
            throw StartError(description: error.description)
        }
    }

    /// Cuts all connections and waits for the thread.
    ///
    /// Not to be called from the handler.
    public func stop() {
        _ = plan.inbox.post(.stop)
        thread.join()
    }

    /// Does something about a request that the handler left silent; nothing where its stream is gone.
    public func perform(_ action: HTTP2ServerAction, on stream: HTTP2ServerStream) {
        _ = plan.inbox.post(.perform(action, stream))
    }

    /// Does something to every connection: `drop`, or `goAway` (which then names no stream as processed, unless
    /// it says `all`).
    public func performOnAllConnections(_ action: HTTP2ServerAction) {
        _ = plan.inbox.post(.performOnAll(action))
    }

    /// Changes SETTINGS_MAX_CONCURRENT_STREAMS of open and new connections.
    public func setMaxConcurrentStreams(_ limit: UInt32) {
        _ = plan.inbox.post(.maxConcurrentStreams(limit))
    }

    /// What the server has seen.
    public var counters: Counters {
        let counts = plan.counts
        return Counters(
            acceptedConnections: counts.accepted.load(ordering: .relaxed),
            openConnections: counts.open.load(ordering: .relaxed),
            requests: counts.requests.load(ordering: .relaxed),
            mostConcurrentStreams: counts.mostStreams.load(ordering: .relaxed),
            protocolErrors: counts.protocolErrors.load(ordering: .relaxed)
        )
    }

    /// Starts the measure of concurrent streams anew.
    public func resetMostConcurrentStreams() { plan.counts.mostStreams.store(0, ordering: .relaxed) }
}
