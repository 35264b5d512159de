// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Connections that have asked once, and then say nothing.
final class IdleConnections {
    private var descriptors: [Int32] = []

    init(_ count: Int, port: UInt16) throws {
        let request = Array("GET /healthz HTTP/1.1\r\nHost: bench\r\n\r\n".utf8)
        for _ in 0..<count {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            let isOpen = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isOpen else { throw BenchFailure(system: "connect") }
            descriptors.append(descriptor)
            var answer = [UInt8](repeating: 0, count: 4_096)
            guard write(descriptor, request, request.count) == request.count,
                read(descriptor, &answer, answer.count) > 0
            else { throw BenchFailure("an idle connection got no answer") }
        }
    }

    func close() {
        for descriptor in descriptors { _ = Glibc.close(descriptor) }
        descriptors = []
    }
}
