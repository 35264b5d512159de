// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Keeps what is in memory (codes, tokens, keys) out of what a crash leaves behind.
enum CrashReports {
    /// Swift's own report names the functions that a crash passed through; it would show registers too, and the memory
    /// that they point at, and wait at a terminal for somebody who wants to see more.
    private static let settings = "registers=none,images=none,interactive=no,output-to=stderr"

    /// Forbids core dumps, and has the Swift runtime report crashes without memory.
    ///
    /// The runtime reads its settings before `main`, so the program begins once more where they are others.
    static func hideMemory() {
        forbidCoreDumps()
        let name = "SWIFT_BACKTRACE"
        let current = getenv(name).map { String(cString: $0) }
        guard current != settings, current != "enable=no" else { return }
        guard setenv(name, settings, 1) == 0 else { return }
        if let program = realpath("/proc/self/exe", nil) { execv(program, CommandLine.unsafeArgv) }
        // Where it cannot begin anew, it goes on without any report: the handlers of the runtime are taken away.
        for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] { signal(number, SIG_DFL) }
    }

    /// One byte is too little for any file, and tells Linux to start no program that takes dumps either, as zero does
    /// not (core(5), "Piping core dumps to a program"; fs/coredump.c).
    private static func forbidCoreDumps() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(1, limit.rlim_max)
        limit.rlim_max = limit.rlim_cur
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }
}
