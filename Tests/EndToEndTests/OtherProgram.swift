// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Programs that tests wait for without keeping one of the few threads that all tests share.
enum OtherProgram {
    /// Runs one to its end; what it writes is kept in files, so that no pipe can fill up.
    static func run(
        _ program: URL,
        _ arguments: [String],
        in folder: URL,
        environment: [String: String] = [:]
    ) async throws -> ProgramResult {
        let files = [UUID(), UUID()].map { folder.appending(path: "\($0.uuidString).txt") }
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
        return ProgramResult(status: status, output: texts[0], error: texts[1])
    }

    /// Runs one that others wrote, from the virtual environment that `make test` keeps.
    static func foreign(_ name: String, _ arguments: [String], in folder: URL) async throws -> ProgramResult {
        let program = checkout.appending(path: ".venv/bin/\(name)")
        let isThere = FileManager.default.isExecutableFile(atPath: program.path)
        try #require(isThere, "\(program.path) is missing: run 'make .venv/installed'")
        return try await run(program, arguments, in: folder)
    }
}
