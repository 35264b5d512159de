// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A program of somebody else's that runs beside a test.
final class OtherProgram {
    /// What it writes on standard output.
    let lines = Arrivals<String>()
    private let process = Process()

    /// Starts it; a program that is not there is a failure.
    init(_ path: String, _ arguments: [String], in folder: URL) throws {
        try #require(
            FileManager.default.isExecutableFile(atPath: path),
            "\(path) is missing: run 'make test-packages'"
        )
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let log = folder.appending(path: "\(UUID().uuidString).log")
        try Data().write(to: log)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: log)
        let buffer = LineBuffer(lines)
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil } else { buffer.add(data) }
        }
        try process.run()
    }

    /// Ends it at once: it has nothing that is worth keeping.
    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
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
