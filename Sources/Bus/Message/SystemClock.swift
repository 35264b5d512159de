// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads one of the system's clocks, without Foundation.
///
/// `timespec` is two words on every Linux of 64 bits, and is read as such: a release build of this module knows its
/// members under a module of the compiler's own only, and refuses them.
enum SystemClock {
    static func read(_ clock: clockid_t) -> (seconds: Int, nanoseconds: Int) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 2) { words in
            words.initialize(repeating: 0)
            words.withMemoryRebound(to: timespec.self) { time in
                if let time = time.baseAddress { clock_gettime(clock, time) }
            }
            return (words[0], words[1])
        }
    }
}
