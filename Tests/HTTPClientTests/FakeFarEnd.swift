// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Threads

/// A server without manners: for each connection it reads a header, sends a text, and closes.
final class FakeFarEnd: Sendable {
    let port: UInt16
    private let socket: Int32

    init(answers: [String]) throws {
        let (socket, port) = try LoopbackSocket.listen()
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
}
