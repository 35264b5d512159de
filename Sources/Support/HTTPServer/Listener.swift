// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD
import Glibc
import Threads

/// One address: its socket, the thread that accepts, and the libmicrohttpd daemon that serves.
///
/// We accept ourselves because libmicrohttpd's poll mode takes one client a turn of its loop: with a thousand clients
/// busy, the last of those who connected together would wait for a thousand turns, which is half a minute.
struct Listener {
    private let socket: ListeningSocket
    private let daemon: OpaquePointer
    private let acceptor: NamedThread

    init(socket: ListeningSocket, daemon: OpaquePointer) {
        self.socket = socket
        self.daemon = daemon
        // Sound: the thread is joined before the daemon is stopped.
        nonisolated(unsafe) let daemon = daemon
        acceptor = NamedThread("http-accept") { Self.accept(from: socket.descriptor, for: daemon) }
    }

    /// Refuses new connections; those that are open stay.
    func refuse() {
        socket.refuse()
        acceptor.join()
    }

    /// Closes all connections; none may be suspended, and ``refuse()`` must have been called.
    func stop() { MHD_stop_daemon(daemon) }

    private static func accept(from listener: Int32, for daemon: OpaquePointer) {
        var address = sockaddr_storage()
        var size = socklen_t()
        while true {
            let client = busd_accept(listener, &address, &size)
            guard client >= 0 else {
                if isStopped(errno) { return }
                continue
            }
            withUnsafePointer(to: &address) { address in
                // Above the connection limit it closes the client's socket itself.
                _ = MHD_add_connection(
                    daemon,
                    client,
                    UnsafeRawPointer(address).assumingMemoryBound(to: sockaddr.self),
                    size
                )
            }
        }
    }

    /// Whether the socket was shut down; waits a little where the process is out of descriptors or memory.
    private static func isStopped(_ failure: Int32) -> Bool {
        switch failure {
        case EINVAL, EBADF, ENOTSOCK: return true
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            usleep(20_000)
            return false
        default: return false
        }
    }
}
