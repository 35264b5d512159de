// SPDX-License-Identifier: Apache-2.0

public import Bus
import Glibc

/// Times for people, in UTC.
public enum Timestamp {
    /// `2026-11-30T07:05:09.123Z` from milliseconds since 1970.
    public static func text(_ milliseconds: Int64) -> String {
        "\(moment(milliseconds / 1_000)).\(padded(Int32(milliseconds % 1_000), 3))Z"
    }

    /// `2026-11-30T07:05:09Z` from seconds since 1970.
    public static func text(seconds: Int) -> String { "\(moment(Int64(seconds)))Z" }

    private static func moment(_ seconds: Int64) -> String {
        var seconds = time_t(seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let date = "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
        let clock = "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
        return "\(date)T\(clock)"
    }

    /// `2026-11-30T07:05:09.123Z`.
    public static func text(_ time: WallTime) -> String { text(time.milliseconds) }

    private static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
