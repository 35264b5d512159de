// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What was rendered of a notification last: its deliveries come together.
public struct LatestRendering<Rendering: Sendable>: Sendable {
    /// The notification is held, so that no other one can take its place in memory.
    private var latest: (notification: OutgoingNotification, rendering: Rendering)?

    /// Starts with nothing.
    public init() {}

    /// The rendering of a notification; made, and kept in place of the one before, where it is another.
    public mutating func of(_ notification: OutgoingNotification, make: (Notification) -> Rendering) -> Rendering {
        if let latest, latest.notification === notification { return latest.rendering }
        let made = make(notification.notification)
        latest = (notification, made)
        return made
    }

    /// Whether the last one was of this notification.
    public func isOf(_ notification: OutgoingNotification) -> Bool { latest?.notification === notification }

    /// Forgets it: content is not kept longer than it is needed.
    public mutating func forget() { latest = nil }
}
