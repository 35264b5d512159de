// SPDX-License-Identifier: Apache-2.0

package import Bus

/// The order of delivery statuses: a delivery only ever goes up in it.
extension DeliveryStatus {
    /// The place in the order, from 0 (QUEUED) to 6 (READ).
    package var rank: Int {
        switch self {
        case .queued: 0
        case .invalidSubscription: 1
        case .sendingFailed: 2
        case .expired: 3
        case .sent: 4
        case .delivered: 5
        case .read: 6
        }
    }

    /// Whether a provider or a phone had it: that truly happened, and wins over any verdict of ours.
    package var isTaken: Bool { rank >= DeliveryStatus.sent.rank }

    /// Whether it is an end that the bus decided, without anybody having had it.
    package var isVerdict: Bool { self != .queued && !isTaken }

    /// Whether a phone told that it has it.
    package var isOnPhone: Bool { rank >= DeliveryStatus.delivered.rank }

    /// How far a delivery is after it was said to be at `next`: never back, and no verdict replaces another.
    package func raised(to next: DeliveryStatus) -> DeliveryStatus {
        next.rank > rank && (self == .queued || next.isTaken) ? next : self
    }

    /// What a bank hears where a delivery ends so; `nil` where that is nothing, or something that phones tell.
    package var news: BankEvent.Kind? {
        switch self {
        case .expired: .expired
        case .sendingFailed, .invalidSubscription: .failed
        case .queued, .sent, .delivered, .read: nil
        }
    }
}
