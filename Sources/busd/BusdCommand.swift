// SPDX-License-Identifier: Apache-2.0

import CAllocator
import CJemalloc
import Glibc

/// The program: finds the command and runs it.
@main
struct BusdCommand {
    static func main() async {
        CrashReports.hideMemory()
        // A peer that goes away while we write is an error of that write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // Sent by mistake, or to programs that mean something by them; they would end this one.
        for number in [SIGUSR1, SIGUSR2] { signal(number, SIG_IGN) }
        let arguments = Array(CommandLine.arguments.dropFirst())
        end(await CommandTable.run(arguments))
    }

    /// Ends the program at once.
    ///
    /// Exit handlers are left out: OpenSSL's frees what the loop of the connections still works with, which crashed now
    /// and then. What has to be on disk is there by now.
    static func end(_ status: ExitStatus) -> Never {
        fflush(nil)
        _exit(status.rawValue)
    }
}

/// What the program ends with.
enum ExitStatus: Int32 {
    /// All went well.
    case success = 0
    /// The work failed, or the configuration is wrong.
    case failure = 1
    /// The command line is wrong.
    case usage = 2
}
