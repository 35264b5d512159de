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
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(await CommandTable.run(arguments).rawValue)
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
