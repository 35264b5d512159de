// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// The stored number of a delivery status, in such an order that a delivery only ever goes up.
///
/// From ``firstTaken`` on a provider had it: that truly happened, and wins over any verdict of ours.
enum StatusCode {
    static let firstTaken = of(.sent)

    static func of(_ status: DeliveryStatus) -> Int64 { Int64(status.rank) }

    /// A number that is none of ours (a damaged file) counts as waiting, so that it is looked at again.
    static func status(_ code: Int64) -> DeliveryStatus {
        switch code {
        case 1: .invalidSubscription
        case 2: .sendingFailed
        case 3: .expired
        case 4: .sent
        case 5: .delivered
        case 6: .read
        default: .queued
        }
    }
}

/// The stored number of a platform.
enum PlatformCode {
    static func of(_ platform: Platform) -> Int64 {
        switch platform {
        case .android: 0
        case .ios: 1
        }
    }

    static func platform(_ code: Int64) -> Platform { code == 0 ? .android : .ios }
}
