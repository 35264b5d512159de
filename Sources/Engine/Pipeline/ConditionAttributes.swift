// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What conditions may ask of a message; what it does not have is absent.
public struct ConditionAttributes: Sendable, Equatable {
    /// The notification's type.
    public var type: NotificationType?
    /// The platform of the device.
    public var platform: Platform?
    /// The segments the recipient is in.
    public var segments: [String] = []
    /// The app on the device.
    public var app: String?
    /// The notification's priority.
    public var priority: Int?
    /// The tags of the notification's details, or the labels of a registration, which have no value.
    public var tags: [PushDetails.Tag] = []

    /// Creates attributes that are all absent.
    public init() {}

    /// What is known of a message on its way through the stages.
    public init(_ message: Message) {
        self.init()
        switch message {
        case .notification(let notification): self = Self(notification: notification)
        case .registration(let registration):
            platform = registration.platform
            app = registration.app
            tags = registration.tags.map { PushDetails.Tag(key: $0, value: nil) }
        case .verification, .tokenUpdate, .unregistration, .receipt, .event, .gatewayReport, .query: break
        }
    }

    /// What is known of a notification, and of the device where one was chosen.
    public init(notification: Notification, device: Subscription? = nil) {
        type = notification.content.type
        priority = notification.priority
        tags = notification.details?.tags ?? []
        platform = device?.platform
        app = device?.app
    }
}
