// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads the system's clocks.
enum SystemClock {
    /// Seconds and nanoseconds of a clock.
    ///
    /// As two words and not as a `timespec`: in an optimised build the compiler finds that type's members in a module
    /// of its own, which cannot be imported, and refuses them.
    static func read(_ clock: clockid_t) -> (seconds: Int, nanoseconds: Int) {
        var parts = (seconds: 0, nanoseconds: 0)
        withUnsafeMutablePointer(to: &parts) { parts in
            _ = clock_gettime(clock, UnsafeMutableRawPointer(parts).assumingMemoryBound(to: timespec.self))
        }
        return parts
    }
}
