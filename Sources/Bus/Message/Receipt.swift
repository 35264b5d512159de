// SPDX-License-Identifier: Apache-2.0

/// What an app says happened to a notification on its phone.
public struct Receipt: Sendable, Equatable {
    /// What happened.
    public enum Event: String, Sendable, CaseIterable {
        case delivered, opened, clicked, dismissed
    }

    /// The bank's id of the notification.
    public var notification: NotificationID
    /// The subscription it arrived at.
    public var subscriber: String
    /// What happened.
    public var event: Event
    /// The button that was pressed.
    public var button: String?
    /// Who says so.
    public var credential: Credential

    /// Describes a receipt.
    public init(
        notification: NotificationID,
        subscriber: String,
        event: Event,
        button: String?,
        credential: Credential
    ) {
        self.notification = notification
        self.subscriber = subscriber
        self.event = event
        self.button = button
        self.credential = credential
    }
}

/// Something an app's developer wants the bus to know of a user.
public struct AppEvent: Sendable, Equatable {
    /// The subscription it concerns.
    public var subscriber: String
    /// The event's name.
    public var name: String
    /// What else is known of it.
    public var parameters: [String: String]
    /// Who says so.
    public var credential: Credential

    /// Describes an event.
    public init(subscriber: String, name: String, parameters: [String: String], credential: Credential) {
        self.subscriber = subscriber
        self.name = name
        self.parameters = parameters
        self.credential = credential
    }
}
