// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A program at work, with its three streams; not blocking on any of them.
///
/// Owned by one thread.
final class ChildProcess {
    let identifier: pid_t
    private(set) var input: Int32
    let output: Int32
    let errors: Int32

    /// Starts a program, looked for as a shell does, in a process group of its own.
    ///
    /// - Throws: why it cannot be started.
    init(_ command: [String]) throws(ExternalFailure) {
        guard let program = command.first else { throw ExternalFailure(reason: "no program is named") }
        var ends: [[Int32]] = []
        for _ in 0..<3 {
            var pair: [Int32] = [-1, -1]
            guard busd_pipe(&pair) == 0 else {
                let reason = String(cString: strerror(errno))
                for pair in ends { for end in pair { close(end) } }
                throw ExternalFailure(reason: "no pipes: \(reason)")
            }
            ends.append(pair)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[0][0], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1][1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[2][1], 2)
        var attributes = posix_spawnattr_t()
        Self.prepare(&attributes)
        var words = command.map { strdup($0) }
        words.append(nil)
        var child: pid_t = 0
        let failure = posix_spawnp(&child, program, &actions, &attributes, words, environ)
        for word in words { free(word) }
        posix_spawnattr_destroy(&attributes)
        posix_spawn_file_actions_destroy(&actions)
        for end in [ends[0][0], ends[1][1], ends[2][1]] { close(end) }
        guard failure == 0 else {
            for end in [ends[0][1], ends[1][0], ends[2][0]] { close(end) }
            throw ExternalFailure(reason: "cannot start '\(program)': \(String(cString: strerror(failure)))")
        }
        identifier = child
        input = ends[0][1]
        output = ends[1][0]
        errors = ends[2][0]
        for end in [input, output, errors] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    }

    /// The child takes signals as a program expects them, whatever this process does with its own.
    private static func prepare(_ attributes: inout posix_spawnattr_t) {
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGPIPE, SIGTERM, SIGINT, SIGHUP] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    /// Tells it that no more comes.
    func closeInput() {
        guard input >= 0 else { return }
        close(input)
        input = -1
    }

    /// Ends it and everything it started; returns how it ended.
    func end() -> String {
        kill(-identifier, SIGKILL)
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        closeInput()
        close(output)
        close(errors)
        let signal = status & 0x7f
        return signal == 0 ? "exit status \(status >> 8 & 0xff)" : "signal \(signal)"
    }

    /// Whether it has ended by itself.
    var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(identifier), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD
    }
}
