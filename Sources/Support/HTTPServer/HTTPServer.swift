// SPDX-License-Identifier: Apache-2.0

public import Bus
import CMicroHTTPD
import Synchronization
import Threads

/// An HTTP/1.1 server on libmicrohttpd: one polling and one accepting thread an address, one task a request.
///
/// A connection is suspended while its handler runs, so a slow handler costs no thread. libmicrohttpd's epoll mode
/// is not used: 0.9.75 stalls when one wake-up brings exactly 128 events.
public final class HTTPServer: Sendable {
    /// Where the server listens, with the ports that the kernel picked.
    public let addresses: [ListenAddress]
    private let core: ServerCore
    private let listeners: Mutex<[Listener]>

    /// Starts listening; with `tls`, on every address encrypted and in no other way.
    ///
    /// It lets the process open as many descriptors as its hard limit allows.
    ///
    /// - Throws: ``HTTPServerError`` where an address is wrong or taken; then it listens nowhere.
    public init(
        listen texts: [String],
        routes: [HTTPRoute],
        tls: HTTPServerTLS? = nil,
        options: HTTPServerOptions = HTTPServerOptions()
    ) throws(HTTPServerError) {
        busd_raise_descriptor_limit()
        let core = ServerCore(routes: routes, options: options)
        var opened: [Listener] = []
        do throws(HTTPServerError) {
            var addresses: [ListenAddress] = []
            for text in texts {
                let address = try ListenAddress(text)
                let socket = try address.listen(backlog: 4096)
                opened.append(Listener(socket: socket, daemon: try core.start(for: address, tls: tls)))
                addresses.append(address.with(port: socket.port))
            }
            self.addresses = addresses
        } catch {
            for listener in opened {
                listener.refuse()
                listener.stop()
            }
            throw error
        }
        self.core = core
        listeners = Mutex(opened)
    }

    deinit { close() }

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
        listeners.withLock { for listener in $0 { listener.refuse() } }
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
        for listener in taken { listener.refuse() }
        core.resumeAll()
        core.waitForAnswers()
        for listener in taken { listener.stop() }
    }
}
