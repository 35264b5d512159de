// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program run beside this one, and what it costs the machine.
///
/// Its standard input ends with this object, which the parts of the benchmark take as the sign to stop.
final class ChildProcess {
    let identifier: pid_t
    private let input: Int32
    private let output: Int32
    private var unread: [UInt8] = []
    private var hasEnded = false

    /// Starts a program, looked for as a shell does; standard error goes to the file `log` where one is given.
    init(_ program: String, _ arguments: [String], log: String? = nil) throws {
        var toChild: [Int32] = [0, 0]
        var fromChild: [Int32] = [0, 0]
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw BenchFailure(system: "pipe") }
        for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        input = toChild[1]
        output = fromChild[0]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        if let log { posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0o644) }
        var words = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var child: pid_t = 0
        let failure = posix_spawnp(&child, program, &actions, nil, words, environ)
        close(toChild[0])
        close(fromChild[1])
        guard failure == 0 else { throw BenchFailure("\(program): \(String(cString: strerror(failure)))") }
        identifier = child
    }

    deinit {
        stop()
        close(output)
    }

    /// The next line that it prints; `nil` where its output has ended.
    func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var part = [UInt8](repeating: 0, count: 4_096)
            let count = read(output, &part, part.count)
            guard count > 0 else { return nil }
            unread += part.prefix(count)
        }
    }

    /// What it answers a line with.
    func ask(_ question: String) throws -> String {
        let bytes = Array("\(question)\n".utf8)
        guard write(input, bytes, bytes.count) == bytes.count, let answer = line() else {
            throw BenchFailure("process \(identifier) does not answer '\(question)'")
        }
        return answer
    }

    /// Whether it still runs.
    var isRunning: Bool {
        guard !hasEnded else { return false }
        hasEnded = waitpid(identifier, nil, WNOHANG) == identifier
        return !hasEnded
    }

    /// Asks it to stop and waits until it has.
    func stop() {
        guard !hasEnded else { return }
        hasEnded = true
        close(input)
        kill(identifier, SIGTERM)
        waitpid(identifier, nil, 0)
    }
}
