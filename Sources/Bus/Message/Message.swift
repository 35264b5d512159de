// SPDX-License-Identifier: Apache-2.0

/// Everything that flows through a pipeline's stages.
public enum Message: Sendable, Equatable {
    case notification(Notification)
    case registration(Registration)
    case verification(Verification)
    case tokenUpdate(TokenUpdate)
    case unregistration(Unregistration)
    case receipt(Receipt)
    case event(AppEvent)
    case gatewayReport(GatewayReport)
    case query(Query)

    /// Changes every recipient the message names, whatever its kind.
    public mutating func mapRecipients(_ change: (inout Recipient) -> Void) {
        switch self {
        case .notification(var notification):
            for index in notification.recipients.indices { change(&notification.recipients[index]) }
            self = .notification(notification)
        case .registration(var registration):
            change(&registration.user)
            self = .registration(registration)
        case .verification(var verification):
            change(&verification.user)
            self = .verification(verification)
        case .unregistration(.user(var user)):
            change(&user)
            self = .unregistration(.user(user))
        case .query(.subscriptions(var users)):
            for index in users.indices { change(&users[index]) }
            self = .query(.subscriptions(users))
        case .query(.device(let app, let deviceID, var user)):
            change(&user)
            self = .query(.device(app: app, deviceID: deviceID, user: user))
        case .tokenUpdate, .unregistration(.device), .receipt, .event, .gatewayReport, .query:
            break
        }
    }
}
