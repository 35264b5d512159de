// SPDX-License-Identifier: Apache-2.0

import Bus
import Threads
import Unicode

/// When a message was made and until when it counts (WS-Security 1.1, 10).
struct SecurityTimestamp: Equatable {
    /// How far the clocks of bank and bus may be apart, in milliseconds.
    static let skew: Int64 = 300_000

    var created: String?
    var expires: String?

    /// Returns if the message counts at this moment.
    func check(at now: WallTime) throws(SOAPFault) {
        if let created, try Self.moment(created).milliseconds(since: now) > Self.skew {
            throw SOAPFault(
                code: .messageExpired,
                message: "the message's Timestamp lies in the future; check the clocks"
            )
        }
        if let expires, try now.milliseconds(since: Self.moment(expires)) > Self.skew {
            throw SOAPFault(code: .messageExpired, message: "the message's Timestamp has expired; check the clocks")
        }
    }

    private static func moment(_ text: String) throws(SOAPFault) -> WallTime {
        guard let seconds = Timestamp.seconds(trimmed(text)) else {
            throw SOAPFault(code: .invalidSecurity, message: "the message's Timestamp holds no time as xs:dateTime")
        }
        return WallTime(seconds: Int64(seconds))
    }
}
