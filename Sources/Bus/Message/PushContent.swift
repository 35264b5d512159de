// SPDX-License-Identifier: Apache-2.0

/// The part of a notification that the phone shows.
public struct PushContent: Sendable, Equatable {
    /// The number on the app's icon; 0 clears it.
    public var badge: Int
    /// The sound's name.
    public var sound: String
    /// The text in the notification area.
    public var text: String
    /// What a tap leads to.
    public var type: NotificationType
    /// The product, form, place, address or code that `type` speaks of.
    public var target: String?
    /// Whether there is no target because the bank wrote the word `nil` in its place: it gets back what it sent.
    public var hasNilTarget = false

    /// The sound of a notification that names none.
    public static let defaultSound = "default"

    /// Describes what the phone shows.
    public init(
        badge: Int,
        sound: String = PushContent.defaultSound,
        text: String,
        type: NotificationType,
        target: String? = nil
    ) {
        self.badge = badge
        self.sound = sound
        self.text = text
        self.type = type
        self.target = target
    }
}

/// What a tap on a notification leads to.
public enum NotificationType: String, Sendable, CaseIterable {
    case universal = "UNIVERSAL"
    case product = "PRODUCT"
    case form = "FORM"
    case showMap = "SHOW_MAP"
    case url = "URL"
    case pinCode = "PIN_CODE"
    case message = "MESSAGE"

    /// Whether a notification of this type means nothing without a target.
    public var requiresTarget: Bool {
        switch self {
        case .universal, .message: false
        case .product, .form, .showMap, .url, .pinCode: true
        }
    }
}

extension NotificationType: SettingsValue {}
