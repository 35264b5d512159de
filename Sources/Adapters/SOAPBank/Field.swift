// SPDX-License-Identifier: Apache-2.0

/// An element that holds text.
enum Field: Equatable {
    case id, recipient, timeout, perishable, priority, collapseID
    case badge, sound, text, type, target
    case name, logo, description, currency, fxAmount
    case key, value
    case queriedID, user

    /// The name in a fault.
    var path: String {
        switch self {
        case .id: "notification.id"
        case .recipient: "notification.recipients"
        case .timeout: "notification.timeout"
        case .perishable: "notification.perishable"
        case .priority: "notification.priority"
        case .collapseID: "notification.collapseId"
        case .badge: "notification.pushContent.badge"
        case .sound: "notification.pushContent.sound"
        case .text: "notification.pushContent.text"
        case .type: "notification.pushContent.type"
        case .target: "notification.pushContent.target"
        case .name: "notification.details.name"
        case .logo: "notification.details.logo_url"
        case .description: "notification.details.push_description"
        case .currency: "notification.details.currency"
        case .fxAmount: "notification.details.fxAmount"
        case .key: "key"
        case .value: "value"
        case .queriedID: "id"
        case .user: "user"
        }
    }

    /// Whether several of it are several values; a second one of the others is a fault.
    var isRepeatable: Bool { self == .recipient || self == .user }
}
