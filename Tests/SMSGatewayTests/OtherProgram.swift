// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A program of somebody else's that runs beside a test, and ends with it however the test ends.
final class OtherProgram {
    /// What it writes.
    let lines = Arrivals<String>()
    private let process = Process()
    /// Nothing is written to it: when it closes, also because the test's process died, the program is killed.
    private let leash = Pipe()

    /// Starts it; a program that is not there is a failure.
    init(_ path: String, _ arguments: [String], in folder: URL) throws {
        try #require(
            FileManager.default.isExecutableFile(atPath: path),
            "\(path) is missing: run 'make test-packages'"
        )
        process.executableURL = URL(filePath: "/bin/sh")
        let script = #""$@" & program=$!; read -r _; kill -9 $program"#
        process.arguments = ["-c", script, "sh", path] + arguments
        process.currentDirectoryURL = folder
        process.standardInput = leash
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        let buffer = LineBuffer(lines)
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil } else { buffer.add(data) }
        }
        try process.run()
    }

    /// Ends it at once: it has nothing that is worth keeping.
    func kill() { try? leash.fileHandleForWriting.close() }

    /// Waits until it has ended.
    func wait() { process.waitUntilExit() }
}

/// Cuts what comes in pieces into lines; called by one thread at a time.
private final class LineBuffer: @unchecked Sendable {
    private let lines: Arrivals<String>
    private var rest = Data()

    init(_ lines: Arrivals<String>) { self.lines = lines }

    func add(_ data: Data) {
        rest += data
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.add(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
            rest = rest[rest.index(after: end)...]
        }
    }
}

/// Ports of the loopback that nobody listens on at this moment, all different.
func freePorts(_ count: Int) throws -> [UInt16] {
    var sockets: [Int32] = []
    defer { for descriptor in sockets { close(descriptor) } }
    return try (0..<count).map { _ in
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        sockets.append(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        return UInt16(bigEndian: address.sin_port)
    }
}
