// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A client that writes exactly the bytes it is told to, on a connection of its own.
enum RawCaller {
    struct Answer: Sendable {
        var status: Int
        var text: String
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Writes the parts and reads what comes back until the server closes; the request must ask it to.
    ///
    /// A server that answers before it has read all closes early, and what it said counts.
    static func call(
        port: UInt16,
        _ parts: @escaping @Sendable ((ArraySlice<UInt8>) -> Bool) -> Void
    ) async throws
        -> Answer
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try blocking(port, parts) })
            }
        }
    }

    private static func blocking(_ port: UInt16, _ parts: ((ArraySlice<UInt8>) -> Bool) -> Void) throws -> Answer {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafeBytes(of: &address) { bytes in
            connect(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard connected == 0 else { throw Failure(description: "connect: \(errno)") }
        parts { write($0, to: descriptor) }
        return try read(from: descriptor)
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func read(from descriptor: Int32) throws -> Answer {
        var received: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(descriptor, &part, part.count, 0), count > 0 { received += part[..<count] }
        let text = String(decoding: received, as: UTF8.self)
        let lines = text.split(separator: "\r\n")
        guard let last = lines.last(where: { $0.hasPrefix("HTTP/1.1 ") && !$0.hasPrefix("HTTP/1.1 100") }),
            let status = last.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw Failure(description: "no answer: \(text.prefix(200))") }
        return Answer(status: status, text: text)
    }
}
