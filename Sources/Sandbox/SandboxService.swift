// SPDX-License-Identifier: Apache-2.0

/// The services that the sandbox stands in for beside the bank, as rules and records name them.
public enum SandboxService: String, Sendable, CaseIterable {
    /// Apple's push service.
    case apns
    /// Firebase Cloud Messaging.
    case fcm
    /// Google's token endpoint, which gives the access tokens for FCM.
    case oauth
    /// An SMS gateway.
    case sms
}

extension Sandbox {
    /// The stand-in for a service.
    public func standIn(_ service: SandboxService) -> PushStandIn {
        switch service {
        case .apns: apns
        case .fcm: fcm
        case .oauth: oauth
        case .sms: sms
        }
    }
}
