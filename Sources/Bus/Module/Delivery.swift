// SPDX-License-Identifier: Apache-2.0

/// One attempt to bring a notification to one address.
public struct Delivery: Sendable {
    /// The bus's number of this attempt, which the report gives back.
    public let ticket: UInt64
    /// The ledger's number of the delivery, the same on every attempt.
    public let sequence: Int64
    /// What to say; the same object for all recipients of a notification, so that a channel can render it once.
    public let notification: OutgoingNotification
    /// Where to.
    public let address: Address
    /// The same on every attempt of this delivery to this address.
    public let messageID: MessageID
    /// When the provider may stop trying; `nil` = one attempt, no storage.
    public let expiration: WallTime?
    /// When the answer is of no use any more.
    public let deadline: MonotonicTime
    /// Whether the channel may send it again by itself, under the same ``messageID``, where it cannot know whether the
    /// first attempt arrived; where not, it reports ``Outcome/unknown(reason:)`` and the bus decides.
    public let mayRepeat: Bool

    /// Describes an attempt.
    public init(
        ticket: UInt64,
        sequence: Int64,
        notification: OutgoingNotification,
        address: Address,
        messageID: MessageID,
        expiration: WallTime?,
        deadline: MonotonicTime,
        mayRepeat: Bool = false
    ) {
        self.ticket = ticket
        self.sequence = sequence
        self.notification = notification
        self.address = address
        self.messageID = messageID
        self.expiration = expiration
        self.deadline = deadline
        self.mayRepeat = mayRepeat
    }

    /// What a ``GatewayReport`` names this delivery by: nobody who was not told it can guess it.
    public var reference: String { "\(sequence)-\(messageID)" }
}

/// Where a delivery goes.
public enum Address: Sendable, Equatable {
    /// An app on a device.
    case device(Device)
    /// A phone number, as the app or the bank wrote it.
    case phone(String)
}

/// An app on a device that may be sent to.
public struct Device: Sendable, Equatable {
    /// The ledger's number of the subscription.
    public let subscription: Int64
    /// The app.
    public let app: String
    /// What the device runs.
    public let platform: Platform
    /// The provider's address of it.
    public let token: String
    /// When this token was last told by the app.
    public let registeredAt: WallTime
    /// The app's topic at APNs, where it is not the channel's.
    public let topic: String?

    /// Describes a device.
    public init(
        subscription: Int64,
        app: String,
        platform: Platform,
        token: String,
        registeredAt: WallTime,
        topic: String?
    ) {
        self.subscription = subscription
        self.app = app
        self.platform = platform
        self.token = token
        self.registeredAt = registeredAt
        self.topic = topic
    }
}

/// A notification on its way out, shared by the deliveries to all its recipients.
public final class OutgoingNotification: Sendable {
    /// The notification.
    public let notification: Notification
    /// The ledger's number of it.
    public let sequence: Int64
    /// When it was accepted.
    public let acceptedAt: WallTime

    /// Wraps a notification that the ledger holds.
    public init(notification: Notification, sequence: Int64, acceptedAt: WallTime) {
        self.notification = notification
        self.sequence = sequence
        self.acceptedAt = acceptedAt
    }

    /// When its timeout passes.
    public var expiresAt: WallTime { acceptedAt.adding(seconds: Int64(notification.timeout)) }
}

/// The 128 bits that name a delivery towards a provider.
public struct MessageID: Hashable, Sendable, CustomStringConvertible {
    /// The first 64 bits.
    public let high: UInt64
    /// The last 64 bits.
    public let low: UInt64

    /// Puts an id together.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The canonical lower-case UUID form, `8-4-4-4-12`.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let word = index < 16 ? high : low
                let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - (index % 16) * 4)) & 0xf
                buffer[position] = nibble < 10 ? 0x30 + nibble : 0x57 + nibble
                position += 1
            }
            return position
        }
    }
}
