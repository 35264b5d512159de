// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Nanoseconds of the monotonic clock.
public typealias Nanoseconds = UInt64

/// The machine's clocks, read without Foundation.
public enum Clock {
    /// The monotonic clock: for waiting and measuring, meaningless across restarts.
    public static func now() -> Nanoseconds { read(CLOCK_MONOTONIC) }

    /// Milliseconds since 1970: for what is stored or shown.
    public static func wallMilliseconds() -> Int64 { Int64(read(CLOCK_REALTIME) / 1_000_000) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
