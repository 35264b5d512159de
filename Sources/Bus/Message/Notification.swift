// SPDX-License-Identifier: Apache-2.0

/// What a bank wants its customers to hear.
///
/// A value like any other. What it holds is kept in one place, which copies share until one of them is changed: it
/// passes through a dozen hands on its way, and holds a dozen texts.
public struct Notification: Sendable, Equatable {
    @usableFromInline
    struct Fields: Equatable {
        @usableFromInline var id: NotificationID
        @usableFromInline var recipients: [Recipient]
        @usableFromInline var timeout: Int
        @usableFromInline var content: PushContent
        @usableFromInline var details: PushDetails?
        @usableFromInline var isPerishable: Bool
        @usableFromInline var priority: Int
        @usableFromInline var collapseID: String?
        @usableFromInline var requiresKnownRecipients = false
    }

    /// `@unchecked`: changed only by a notification that has it alone.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @usableFromInline var fields: Fields

        @usableFromInline
        init(_ fields: Fields) { self.fields = fields }
    }

    @usableFromInline var storage: Storage

    /// The bank's id of it.
    @inlinable
    public var id: NotificationID {
        _read { yield storage.fields.id }
        _modify {
            own()
            yield &storage.fields.id
        }
    }
    /// Whom it is for, in the bank's order.
    @inlinable
    public var recipients: [Recipient] {
        _read { yield storage.fields.recipients }
        _modify {
            own()
            yield &storage.fields.recipients
        }
    }
    /// How long it is worth delivering after its acceptance, in seconds; 0 = one attempt, now.
    @inlinable
    public var timeout: Int {
        _read { yield storage.fields.timeout }
        _modify {
            own()
            yield &storage.fields.timeout
        }
    }
    /// What the phone shows.
    @inlinable
    public var content: PushContent {
        _read { yield storage.fields.content }
        _modify {
            own()
            yield &storage.fields.content
        }
    }
    /// What the app can fetch afterwards.
    @inlinable
    public var details: PushDetails? {
        _read { yield storage.fields.details }
        _modify {
            own()
            yield &storage.fields.details
        }
    }
    /// Whether there is only one attempt.
    @inlinable
    public var isPerishable: Bool {
        _read { yield storage.fields.isPerishable }
        _modify {
            own()
            yield &storage.fields.isPerishable
        }
    }
    /// From 0 to 10, where higher is sooner.
    @inlinable
    public var priority: Int {
        _read { yield storage.fields.priority }
        _modify {
            own()
            yield &storage.fields.priority
        }
    }
    /// Notifications with the same id replace each other on the phone; `nil`: the notification's own id.
    @inlinable
    public var collapseID: String? {
        _read { yield storage.fields.collapseID }
        _modify {
            own()
            yield &storage.fields.collapseID
        }
    }
    /// Whether an unknown recipient refuses the whole request instead of getting INVALID_SUBSCRIPTION.
    ///
    /// A wish, not a check: subscriptions are looked up after all stages, when ids are mapped.
    @inlinable
    public var requiresKnownRecipients: Bool {
        _read { yield storage.fields.requiresKnownRecipients }
        _modify {
            own()
            yield &storage.fields.requiresKnownRecipients
        }
    }

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
        storage = Storage(
            Fields(
                id: id,
                recipients: recipients,
                timeout: timeout,
                content: content,
                details: details,
                isPerishable: isPerishable,
                priority: priority,
                collapseID: collapseID
            )
        )
    }

    /// Whether it travels in the urgent lane: PIN codes and priorities from 8.
    @inlinable
    public var isUrgent: Bool { storage.fields.priority >= 8 || storage.fields.content.type == .pinCode }

    /// Whether two say the same.
    public static func == (first: Notification, second: Notification) -> Bool {
        first.storage === second.storage || first.storage.fields == second.storage.fields
    }

    /// Makes what it holds its own, before it is changed.
    @usableFromInline
    mutating func own() {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
    }
}
