// SPDX-License-Identifier: Apache-2.0

import Bus

/// When a channel for phones takes the place of pushes.
///
/// It is the fallback for PIN codes and nothing else, whatever its `when` says: a text message costs money and shows
/// on the lock screen of whoever holds the number, so no other type is ever sent that way. `when` can only narrow it
/// further. There is no device to ask about, so a `when` that wants a platform or an app never holds.
struct PhoneRoute: Sendable {
    /// What the item's `when` asks; `nil`: nothing.
    let condition: Condition?
    /// How long pushes have, in milliseconds.
    let delay: Int64

    /// Whether it is there for such a notification.
    func carries(_ notification: Notification) -> Bool {
        guard notification.content.type == .pinCode else { return false }
        return condition?.matches(ConditionAttributes(notification: notification)) ?? true
    }

    /// Until when pushes of what is accepted now have the time: at most half of what the code has to live.
    func time(for notification: Notification, at now: ClockReading) -> DueTime {
        let expires = now.wall.adding(seconds: Int64(notification.timeout))
        let end = NotificationTime.end(accepted: now.wall, expires: expires)
        return now.due.adding(milliseconds: max(0, min(delay, end.milliseconds(since: now.wall) / 2)))
    }
}

extension [PhoneRoute] {
    /// Until when the pushes of a notification have the time; `nil` where no text message takes their place.
    func fallbackTime(for notification: Notification, at now: ClockReading) -> DueTime? {
        first { $0.carries(notification) }?.time(for: notification, at: now)
    }
}

extension Notification {
    /// The number that a text message to one of its recipients goes to; `nil` where none is known.
    ///
    /// The bank's own where the notification has exactly one recipient, else what the apps told, the newest first.
    func phone(among devices: [Subscription]) -> String? {
        taggedPhone ?? devices.lazy.compactMap(\.phone).first { !$0.isEmpty }
    }

    /// The number that the bank gave for its one recipient, in however many spellings they are named.
    var taggedPhone: String? {
        guard hidesPhone else { return nil }
        return details?.tags.last { $0.key == PushDetails.phoneTag }?.value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether it has a number for its one recipient, which is nothing for apps.
    fileprivate var hidesPhone: Bool {
        guard let details, details.tags.contains(where: { $0.key == PushDetails.phoneTag }) else { return false }
        return recipients.first.map { first in recipients.allSatisfy { $0.id == first.id } } ?? false
    }
}

extension OutgoingNotification {
    /// What channels get: without the number that was meant for the bus.
    var shown: OutgoingNotification {
        guard notification.hidesPhone else { return self }
        var shown = notification
        shown.details = notification.details?.shown(hidesPhone: true)
        return OutgoingNotification(notification: shown, sequence: sequence, acceptedAt: acceptedAt)
    }
}
