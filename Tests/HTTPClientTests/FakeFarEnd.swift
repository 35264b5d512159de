// SPDX-License-Identifier: Apache-2.0

import Glibc
import Threads

/// A server without manners: for each connection it reads a header, sends a text, and closes.
final class FakeFarEnd: Sendable {
    struct Failure: Error {}

    let port: UInt16
    private let socket: Int32

    init(answers: [String]) throws {
        let (socket, port) = try Self.listen()
        self.socket = socket
        self.port = port
        _ = NamedThread("far-end") {
            for answer in answers {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                var buffer = [UInt8](repeating: 0, count: 4_096)
                _ = read(connection, &buffer, buffer.count)
                _ = send(connection, Array(answer.utf8), answer.utf8.count, Int32(MSG_NOSIGNAL))
                shutdown(connection, Int32(SHUT_WR))
                while read(connection, &buffer, buffer.count) > 0 {}
                close(connection)
            }
        }
    }

    deinit { close(socket) }

    /// A port that nobody listens on.
    static func unusedPort() throws -> UInt16 {
        let (socket, port) = try listen()
        close(socket)
        return port
    }

    private static func listen() throws -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(socket, generic, length) == 0 && Glibc.listen(socket, 16) == 0
                    && getsockname(socket, generic, &length) == 0
            }
        }
        guard isListening else { throw Failure() }
        return (socket, UInt16(bigEndian: address.sin_port))
    }
}
