// SPDX-License-Identifier: Apache-2.0

import Glibc
import Threads

/// Hears the signals that operators send.
///
/// The handler may do next to nothing, so it writes the signal's number into a pipe; a thread reads there and calls
/// back. Installed before anything starts, so that a signal that comes early is heard too.
enum Signals {
    /// The pipe's writing end; set once, before the handlers are installed.
    nonisolated(unsafe) private static var pipe: Int32 = -1

    /// Calls `heard` with each of `signals` that arrives, on a thread of its own.
    static func listen(_ signals: [Int32], _ heard: @escaping @Sendable (Int32) -> Void) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { return }
        pipe = ends[1]
        let reading = ends[0]
        _ = NamedThread("busd-signals") {
            var number: UInt8 = 0
            while true {
                let count = read(reading, &number, 1)
                if count == 1 { heard(Int32(number)) } else if count == 0 || errno != EINTR { return }
            }
        }
        for number in signals { signal(number, handler) }
    }

    private static let handler: @convention(c) (Int32) -> Void = { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(pipe, &byte, 1)
        errno = saved
    }
}
