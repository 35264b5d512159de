// SPDX-License-Identifier: Apache-2.0

/// A question that changes nothing.
public enum Query: Sendable, Equatable {
    /// The notification itself, for its bank.
    case notification(NotificationID)
    /// How far a notification got with each recipient.
    case deliveryStatus(NotificationID)
    /// What happened to a notification, step by step.
    case timeline(NotificationID)
    /// Whether all these users have a device.
    case subscriptions([Recipient])
    /// Whether this device is registered for this user.
    case device(app: String, deviceID: String, user: Recipient)
    /// A notification's details, for a subscriber who got it.
    case details(NotificationID, subscriber: String, credential: Credential)
}
