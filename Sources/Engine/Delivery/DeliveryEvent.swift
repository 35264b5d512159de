// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A step of a delivery, told as it happens to whoever watches a bus.
public struct DeliveryEvent: Sendable {
    /// The bank's id of the notification.
    public let notification: NotificationID
    /// To whom.
    public let recipient: RecipientID
    /// How far it is.
    public let status: DeliveryStatus
    /// The channel that took it.
    public let channel: String?
    /// What went wrong.
    public let problem: String?
    /// When the next attempt is due; `nil` at the end.
    public let nextAttempt: WallTime?
    /// When it happened.
    public let at: WallTime
}

/// How a dispatcher is doing.
public struct DispatchReport: Sendable {
    /// A channel's state.
    public struct Channel: Sendable {
        /// Its name.
        public let label: String
        /// Whether an operator stopped it.
        public let isPaused: Bool
        /// Whether it is being probed after a fault.
        public let isSuspended: Bool
        /// Whether too many of its tokens are called dead to believe it.
        public let isInDoubt: Bool
        /// Deliveries in memory that wait for it.
        public let blocked: Int
    }

    /// Deliveries in memory, urgent and bulk.
    public let inMemory: [Int]
    /// Attempts under way.
    public let underWay: Int
    /// The channels in the order of preference.
    public let channels: [Channel]
}
