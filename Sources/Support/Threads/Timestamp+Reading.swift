// SPDX-License-Identifier: Apache-2.0

extension Timestamp {
    /// Reads `xs:dateTime` (XML Schema part 2 §3.2.7) or RFC 3339: `2026-11-30T00:07:57.123Z`, `…+03:00`.
    ///
    /// Without a zone it is UTC. Seconds since 1970; `nil` for anything else.
    public static func seconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            (1...12).contains(month), (1...31).contains(day), hour <= 24, minute < 60, second <= 60,
            let offset = offset(bytes[19...])
        else { return nil }
        return days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// The zone's seconds east of UTC, behind a fraction that does not matter.
    private static func offset(_ rest: ArraySlice<UInt8>) -> Int? {
        var rest = rest
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst().drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard let sign = rest.first else { return 0 }
        if sign == UInt8(ascii: "Z") { return rest.count == 1 ? 0 : nil }
        let zone = Array(rest)
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), zone.count == 6, zone[3] == UInt8(ascii: ":"),
            let hours = number(zone[1..<3]), let minutes = number(zone[4..<6])
        else { return nil }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// Days since 1970 in the Gregorian calendar, counted in years that begin in March.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
