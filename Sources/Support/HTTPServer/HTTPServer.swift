// SPDX-License-Identifier: Apache-2.0

public import Bus
import CMicroHTTPD
import Synchronization
import Threads

/// An HTTP/1.1 server on libmicrohttpd: one serving and one accepting thread an address, one task a request.
///
/// A connection is suspended while its handler runs, so a slow handler costs no thread. libmicrohttpd has no thread of
/// its own (see ``ServerLoop``). How many connections there may be, and how long their clients may take, is seen to by
/// the acceptor; what their bytes may be, by a ``RequestScanner``.
public final class HTTPServer: Sendable {
    /// Where the server listens, with the ports that the kernel picked.
    public let addresses: [ListenAddress]
    private let core: ServerCore
    private let listeners: Mutex<[Listener]>
    private let watch: ListenerWatch

    /// Starts listening; with `tls`, on every address encrypted and in no other way.
    ///
    /// It lets the process open as many descriptors as its hard limit allows.
    ///
    /// - Throws: ``HTTPServerError`` where an address is wrong or taken; then it listens nowhere.
    public init(
        listen texts: [String],
        routes: [HTTPRoute],
        tls: HTTPServerTLS? = nil,
        options: HTTPServerOptions = HTTPServerOptions(),
        log: Log = .silent
    ) throws(HTTPServerError) {
        let core = ServerCore(routes: routes, options: options.within(descriptors: busd_raise_descriptor_limit()))
        var opened: [Listener] = []
        do throws(HTTPServerError) {
            for text in texts { opened.append(try core.open(try ListenAddress(text), tls: tls, log: log)) }
        } catch {
            for listener in opened {
                listener.refuse()
                listener.stop()
            }
            throw error
        }
        addresses = opened.map(\.address)
        self.core = core
        listeners = Mutex(opened)
        watch = ListenerWatch(opened, patience: options.silence, log: log)
        watch.start()
    }

    deinit { close() }

    /// Why some of its addresses serve nobody, in words for an operator; empty where all is well.
    ///
    /// On any thread, without waiting. What is new is logged as well.
    public var troubles: [String] { listeners.withLock(\.isEmpty) ? [] : watch.troubles() }

    /// How many connections are open.
    public var connections: Int { listeners.withLock { $0.reduce(0) { $0 + $1.connections } } }

    /// Requests whose body is complete and whose response has not been sent.
    public var requestsInProgress: Int { core.state.withLock { $0.inProgress } }

    /// Puts new routes in place of the old ones; requests in progress keep theirs.
    public func replaceRoutes(_ routes: [HTTPRoute]) {
        let table = RouteTable(routes)
        core.state.withLock { $0.replace(table) }
    }

    /// Stops accepting, lets the requests in progress finish for at most `limit`, and closes all connections.
    ///
    /// A request that is still running then is answered with 503; its handler's answer is dropped. A second call
    /// does nothing.
    public func stop(drain limit: Duration) async {
        core.state.withLock { $0.drain() }
        for listener in listeners.withLock({ $0 }) { listener.refuse() }
        let timer = Task { [core] in
            try? await Task.sleep(for: limit)
            core.state.withLock { $0.endDrain() }?.resume()
        }
        await withCheckedContinuation { continuation in
            core.state.withLock { $0.wait(continuation) }?.resume()
        }
        timer.cancel()
        await withCheckedContinuation { continuation in
            // Stopping joins libmicrohttpd's threads, which is not for a thread of the pool.
            _ = NamedThread("http-stop") { [self] in
                close()
                continuation.resume()
            }
        }
    }

    private func close() {
        let taken = listeners.withLock { listeners in
            defer { listeners = [] }
            return listeners
        }
        guard !taken.isEmpty else { return }
        watch.stop()
        for listener in taken { listener.refuse() }
        core.resumeAll()
        core.waitForAnswers()
        for listener in taken { listener.stop() }
    }
}
