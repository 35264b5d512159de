// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Threads

/// Runs blocking work on a thread of its own: the pool's threads belong to the server's handlers.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        _ = NamedThread("client") { continuation.resume(with: Swift.Result(catching: body)) }
    }
}

struct ClientError: Error, CustomStringConvertible {
    let description: String
}

/// A client that writes exactly the bytes it is told to.
final class RawClient {
    struct Answer: Sendable, Equatable {
        var status: Int
        var head: String
        var body: String
    }

    let descriptor: Int32
    private var buffer: [UInt8] = []

    init(port: UInt16) throws {
        descriptor = try LoopbackSocket.connect(to: port)
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        guard LoopbackSocket.write(bytes, to: descriptor) else { throw ClientError(description: "the server closed") }
    }

    /// Reads one whole answer, with a body as long as Content-Length says unless `isHead`.
    func answer(isHead: Bool = false) throws -> Answer {
        while true {
            if let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                let length = isHead ? 0 : length(in: head)
                if buffer.count >= end.upperBound + length {
                    let body = String(decoding: buffer[end.upperBound..<(end.upperBound + length)], as: UTF8.self)
                    buffer.removeFirst(end.upperBound + length)
                    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
                    return Answer(status: status, head: head, body: body)
                }
            }
            guard try fill() else { throw ClientError(description: "closed before an answer") }
        }
    }

    /// Whether the server closes the connection now.
    func isClosed() throws -> Bool { try buffer.isEmpty && !fill() }

    private func fill() throws -> Bool {
        var part = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &part, part.count, 0)
        if count < 0, errno != ECONNRESET { throw ClientError(description: String(cString: strerror(errno))) }
        guard count > 0 else { return false }
        buffer += part[..<count]
        return true
    }

    private func length(in head: String) -> Int {
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-length:") {
            return Int(line.dropFirst(15).drop { $0 == " " }) ?? 0
        }
        return 0
    }
}
