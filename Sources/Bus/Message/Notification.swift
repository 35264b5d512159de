// SPDX-License-Identifier: Apache-2.0

/// What a bank wants its customers to hear.
public struct Notification: Sendable, Equatable {
    /// The bank's id of it.
    public var id: NotificationID
    /// Whom it is for, in the bank's order.
    public var recipients: [Recipient]
    /// How long it is worth delivering after its acceptance, in seconds; 0 = one attempt, now.
    public var timeout: Int
    /// What the phone shows.
    public var content: PushContent
    /// What the app can fetch afterwards.
    public var details: PushDetails?
    /// Whether there is only one attempt.
    public var isPerishable: Bool
    /// From 0 to 10, where higher is sooner.
    public var priority: Int
    /// Notifications with the same id replace each other on the phone; `nil`: the notification's own id.
    public var collapseID: String?
    /// Whether an unknown recipient refuses the whole request instead of getting INVALID_SUBSCRIPTION.
    ///
    /// A wish, not a check: subscriptions are looked up after all stages, when ids are mapped.
    public var requiresKnownRecipients = false

    /// The priority of a notification that names none.
    public static let defaultPriority = 5

    /// Describes a notification.
    public init(
        id: NotificationID,
        recipients: [Recipient],
        timeout: Int,
        content: PushContent,
        details: PushDetails? = nil,
        isPerishable: Bool = false,
        priority: Int = Notification.defaultPriority,
        collapseID: String? = nil
    ) {
        self.id = id
        self.recipients = recipients
        self.timeout = timeout
        self.content = content
        self.details = details
        self.isPerishable = isPerishable
        self.priority = priority
        self.collapseID = collapseID
    }

    /// Whether it travels in the urgent lane: PIN codes and priorities from 8.
    public var isUrgent: Bool { priority >= 8 || content.type == .pinCode }
}
