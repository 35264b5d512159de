// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import JSON

/// What APNs, or whatever stands in its way, answered.
struct Answer: Equatable {
    let status: Int
    /// Apple's word for what is wrong; `nil` where the body is not Apple's.
    ///
    /// It may be a word that whoever answered made up, even a device token: only known ones are shown to anybody.
    let reason: String?
    /// When APNs saw the token die.
    let timestamp: WallTime?
    /// Whether it says when in a way that cannot be read: then nobody knows whether that was before a registration.
    let hasUnreadableTimestamp: Bool
    /// How long to wait, in milliseconds.
    let retryAfter: Int64?

    init(_ response: HTTP2Response, now: WallTime) {
        status = response.status
        retryAfter = response.header("retry-after").flatMap {
            RetryAfter.milliseconds($0, answered: response.header("date"), now: now)
        }
        guard !(200..<300).contains(status), !response.isTruncated, !response.body.isEmpty,
            let json = try? JSONValue(parsing: response.body)
        else {
            reason = nil
            timestamp = nil
            hasUnreadableTimestamp = false
            return
        }
        reason = json["reason"]?.string.flatMap { Self.isWord($0) ? $0 : nil }
        let told = json["timestamp"].flatMap { $0 == .null ? nil : $0 }
        timestamp = told.flatMap(Self.time)
        hasUnreadableTimestamp = told != nil && timestamp == nil
    }

    /// A time in milliseconds since 1970; proxies and stand-ins that write numbers as texts are understood.
    private static func time(_ value: JSONValue) -> WallTime? {
        let number =
            value.number
            ?? value.string.flatMap { text in
                text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Double(text) : nil
            }
        guard let number, (1..<1e15).contains(number) else { return nil }
        return WallTime(milliseconds: Int64(number))
    }

    var isAccepted: Bool { (200..<300).contains(status) }

    /// What an operator reads: the status, and Apple's word where it is known.
    var words: String {
        guard let reason else { return "\(status)" }
        return Self.meanings[reason] == nil ? "\(status), for a reason that is new" : "\(status) \(reason)"
    }

    /// Apple's reasons are single words.
    private static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
            }
    }
}
