// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

/// The real `busd`, run as a process of its own, on ports that the system picks.
final class BusProcess: Sendable {
    /// The program that was built with these tests, beside them; `BUSD_PROGRAM` names another build.
    static let program: URL = {
        if let path = ProcessInfo.processInfo.environment["BUSD_PROGRAM"] { return URL(filePath: path) }
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "busd")
    }()

    private let process: Mutex<Process>
    private let output: OutputLines
    /// Where banks and apps reach it.
    let port: UInt16
    /// Where operators reach it.
    let adminPort: UInt16

    /// Starts it and waits until it says that it is ready.
    init(_ arguments: [String], in folder: URL, environment: [String: String] = [:]) async throws {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        let output = OutputLines(pipe.fileHandleForReading)
        try process.run()
        let ready = try #require(await output.first { $0.contains(" ready ") }, "busd did not start:\n\(output.text)")
        port = try #require(Self.port(ready, "listen"))
        adminPort = try #require(Self.port(ready, "admin"))
        self.process = Mutex(process)
        self.output = output
    }

    deinit { if isRunning { kill9() } }

    var isRunning: Bool { process.withLock { $0.isRunning } }

    /// What it logged so far.
    var log: String { output.text }

    /// Waits for a line with these words; `false` where the output ends without one.
    func says(_ words: String) async -> Bool { await output.first { $0.contains(words) } != nil }

    /// Its process id.
    var pid: pid_t { process.withLock { $0.processIdentifier } }

    /// Ends it as a power cut would.
    func kill9() {
        kill(pid, SIGKILL)
        process.withLock { $0.waitUntilExit() }
    }

    /// Asks it to stop; returns its exit status.
    func terminate() -> Int32 {
        kill(pid, SIGTERM)
        return waitForExit()
    }

    /// Its exit status, once it has ended.
    func waitForExit() -> Int32 {
        process.withLock { process in
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    private static func port(_ line: String, _ key: String) -> UInt16? {
        guard let start = line.range(of: " \(key)=127.0.0.1:") else { return nil }
        return UInt16(line[start.upperBound...].prefix { $0.isNumber })
    }
}

/// The lines a process writes, as they come.
final class OutputLines: Sendable {
    private struct State {
        var lines: [String] = []
        var rest = ""
        var isAtEnd = false
        var waiting: [(matches: @Sendable (String) -> Bool, continuation: CheckedContinuation<String?, Never>)] = []
    }

    private let state = Mutex(State())

    init(_ handle: FileHandle) {
        Thread.detachNewThread { [self] in
            while case let data = handle.availableData, !data.isEmpty { add(String(decoding: data, as: UTF8.self)) }
            end()
        }
    }

    var text: String { state.withLock { $0.lines.joined(separator: "\n") } }

    /// The first line that matches; `nil` where the output ends without one.
    func first(_ matches: @escaping @Sendable (String) -> Bool) async -> String? {
        await withCheckedContinuation { continuation in
            let found = state.withLock { state -> String?? in
                if let line = state.lines.first(where: matches) { return .some(line) }
                if state.isAtEnd { return .some(nil) }
                state.waiting.append((matches, continuation))
                return nil
            }
            if let found { continuation.resume(returning: found) }
        }
    }

    private func add(_ text: String) {
        let answers = state.withLock { state -> [(CheckedContinuation<String?, Never>, String)] in
            var parts = (state.rest + text).components(separatedBy: "\n")
            state.rest = parts.removeLast()
            state.lines += parts
            var answers: [(CheckedContinuation<String?, Never>, String)] = []
            state.waiting.removeAll { waiter in
                guard let line = parts.first(where: waiter.matches) else { return false }
                answers.append((waiter.continuation, line))
                return true
            }
            return answers
        }
        for (continuation, line) in answers { continuation.resume(returning: line) }
    }

    private func end() {
        let waiting = state.withLock { state in
            state.isAtEnd = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.continuation.resume(returning: nil) }
    }
}
