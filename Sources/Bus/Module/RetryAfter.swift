// SPDX-License-Identifier: Apache-2.0

/// The `Retry-After` header of HTTP (RFC 9110, 10.2.3): seconds, or a date in one of the three forms of section 5.6.7.
public enum RetryAfter {
    /// The longest wish that is granted: a far end that says more has more likely lost its clock.
    public static let longest: Int64 = 3_600_000

    /// How long to wait, in milliseconds, at most ``longest``; `nil` where the header's value means nothing.
    ///
    /// A date is the far end's, so it is counted from `answered`, what its `Date` header says: this machine's clock may
    /// be wrong. From `now` only where there is no such header.
    public static func milliseconds(_ value: String, answered: String? = nil, now: WallTime) -> Int64? {
        let text = value.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        let digits = text.prefix { (0x30...0x39).contains($0) }
        let rest = text.dropFirst(digits.count)
        if !digits.isEmpty, rest.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
            // More digits than an integer holds are a long time too.
            guard let seconds = Int64(String(decoding: digits, as: UTF8.self)) else { return longest }
            return min(seconds, longest / 1000) * 1000
        }
        guard let date = seconds(String(decoding: text, as: UTF8.self)) else { return nil }
        let beginning = answered.flatMap { seconds($0) }.map { WallTime(seconds: $0) } ?? now
        return min(max(0, WallTime(seconds: date).milliseconds(since: beginning)), longest)
    }

    /// The time of an HTTP date in seconds since 1970.
    private static func seconds(_ text: String) -> Int64? {
        let words = text.split { " ,-\t".contains($0) }.map(String.init)
        // Sun, 06 Nov 1994 08:49:37 GMT · Sunday, 06-Nov-94 08:49:37 GMT · Sun Nov  6 08:49:37 1994
        guard words.count >= 5 else { return nil }
        let isAsctime = month(words[1]) != nil
        let (dayWord, monthWord) = isAsctime ? (words[2], words[1]) : (words[1], words[2])
        let (yearWord, timeWord) = isAsctime ? (words[4], words[3]) : (words[3], words[4])
        guard let day = Int64(dayWord), (1...31).contains(day), let month = month(monthWord),
            let year = year(yearWord), let time = time(timeWord)
        else { return nil }
        return days(year, month, day) * 86_400 + time
    }

    private static func month(_ word: String) -> Int64? {
        let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        return names.firstIndex(of: word.lowercased()).map { Int64($0) + 1 }
    }

    /// Two digits are a year near ours: the form is obsolete since 1994.
    private static func year(_ word: String) -> Int64? {
        guard let number = Int64(word), number >= 0, word.count <= 4 else { return nil }
        return word.count > 2 ? number : number < 70 ? 2000 + number : 1900 + number
    }

    private static func time(_ word: String) -> Int64? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).compactMap { Int64($0) }
        guard parts.count == 3, (0...23).contains(parts[0]), (0...59).contains(parts[1]), (0...60).contains(parts[2])
        else { return nil }
        return parts[0] * 3600 + parts[1] * 60 + parts[2]
    }

    /// Days from 1970-01-01 in the Gregorian calendar, with years that begin in March so that the leap day is last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + ofYear - 719_468
    }
}
