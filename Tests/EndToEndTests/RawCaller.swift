// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A client that writes exactly the bytes it is told to, on a connection of its own.
final class RawCaller {
    struct Answer: Sendable {
        var status: Int
        var text: String
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Lets `talk` write, and reads what comes back until the server closes; the request must ask it to.
    ///
    /// A server that answers before it has read all closes early, and what it said counts.
    static func call(port: UInt16, _ talk: @escaping @Sendable (RawCaller) -> Void) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let caller = try RawCaller(port: port)
                        talk(caller)
                        return try caller.answer()
                    }
                )
            }
        }
    }

    private init(port: UInt16) throws {
        descriptor = try LoopbackSocket.connect(to: port, seconds: 60)
    }

    deinit { close(descriptor) }

    /// Writes; `false` where the server has closed.
    func write(_ bytes: some Collection<UInt8>) -> Bool { LoopbackSocket.write(bytes, to: descriptor) }

    /// Writes a part of a body that comes in chunks; an empty one is its end.
    func writeChunk(_ bytes: some Collection<UInt8>) -> Bool {
        write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0d, 0x0a])
    }

    /// Waits for the server's word that the body may come.
    func mayContinue() -> Bool {
        while received.count < 25, read() {}
        return String(decoding: received, as: UTF8.self).hasPrefix("HTTP/1.1 100 Continue\r\n\r\n")
    }

    private func read() -> Bool {
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &part, part.count, 0)
        guard count > 0 else { return false }
        received += part[..<count]
        return true
    }

    private func answer() throws -> Answer {
        while read() {}
        let text = String(decoding: received, as: UTF8.self)
        let lines = text.split(separator: "\r\n")
        guard let last = lines.last(where: { $0.hasPrefix("HTTP/1.1 ") && !$0.hasPrefix("HTTP/1.1 100") }),
            let status = last.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw Failure(description: "no answer: \(text.prefix(200))") }
        return Answer(status: status, text: text)
    }
}
