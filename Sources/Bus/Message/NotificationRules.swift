// SPDX-License-Identifier: Apache-2.0

/// What a notification must be like whichever way it came, so that every inbound adapter refuses the same.
public enum NotificationRules {
    /// The most bytes of an id: of a notification, of a user, of the notifications that replace each other.
    public static let longestIdentifier = 255
    /// The most bytes of a user's name after a stage has mapped it: folding letters may make three times as many.
    public static let longestMappedIdentifier = 1_020
    /// The most bytes of a target.
    public static let longestTarget = 2048
    /// The seconds that a timeout may have.
    public static let timeouts = 0...0x7fff_ffff
    /// The numbers that an app's icon may show.
    public static let badges = 0...0x7fff_ffff
    /// The priorities, where higher is sooner.
    public static let priorities = 0...10

    /// Whether a target, trimmed, says that there is none: banks write `nil` there as they do nothing.
    public static func isNone(target: String) -> Bool { target.isEmpty || target == "nil" }

    /// The types by name, for whoever named another.
    public static var typeNames: String { NotificationType.allCases.map(\.rawValue).joined(separator: ", ") }
}

extension PushDetails {
    /// Sets a tag; a key that comes twice has its last value, as with every map that banks write.
    public mutating func setTag(_ key: String, _ value: String?) {
        let tag = Tag(key: key, value: value)
        // Few tags: a search is cheaper than a table. Above that a later tag of the same key is simply added.
        if tags.count <= 64, let index = tags.firstIndex(where: { $0.key == key }) {
            tags[index] = tag
        } else {
            tags.append(tag)
        }
    }

    /// The same without texts that are empty; `nil` where nothing is left.
    public var normalized: Self? {
        var details = self
        if details.name?.isEmpty == true { details.name = nil }
        if details.logoURL?.isEmpty == true { details.logoURL = nil }
        if details.description?.isEmpty == true { details.description = nil }
        return details.isEmpty ? nil : details
    }

    private var isEmpty: Bool {
        name == nil && logoURL == nil && description == nil && tags.isEmpty && amount == nil
    }
}
