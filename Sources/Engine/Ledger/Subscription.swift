// SPDX-License-Identifier: Apache-2.0

public import Bus

/// A device that gets a user's notifications.
public struct Subscription: Sendable, Equatable {
    /// The ledger's number of it.
    public let sequence: Int64
    /// Its public name towards the app.
    public let subscriber: String
    /// The user, as stages mapped them.
    public let user: RecipientID
    /// The app.
    public let app: String
    /// The device's id within the app.
    public let deviceID: String
    /// What the device runs.
    public let platform: Platform
    /// The provider's address.
    public let token: String
    /// When the app last told this token.
    public let tokenAt: WallTime
    /// SHA-256 of its secret.
    public let secretHash: [UInt8]
    /// The user's phone number.
    public let phone: String?
    /// When a provider last took something for it, to the day.
    public let lastSuccess: WallTime?

    /// Describes a subscription.
    public init(
        sequence: Int64,
        subscriber: String,
        user: RecipientID,
        app: String,
        deviceID: String,
        platform: Platform,
        token: String,
        tokenAt: WallTime,
        secretHash: [UInt8],
        phone: String?,
        lastSuccess: WallTime?
    ) {
        self.sequence = sequence
        self.subscriber = subscriber
        self.user = user
        self.app = app
        self.deviceID = deviceID
        self.platform = platform
        self.token = token
        self.tokenAt = tokenAt
        self.secretHash = secretHash
        self.phone = phone
        self.lastSuccess = lastSuccess
    }
}

/// A subscription to be kept.
public struct NewSubscription: Sendable, Equatable {
    /// Which pipeline.
    public let pipeline: PipelineNumber
    /// What the app said.
    public let registration: Registration
    /// Its public name.
    public let subscriber: String
    /// SHA-256 of its secret.
    public let secretHash: [UInt8]
    /// Now.
    public let at: WallTime
    /// When its app registered; with another installation perhaps, long ago.
    public let registeredAt: WallTime

    /// Describes a subscription.
    public init(
        pipeline: PipelineNumber,
        registration: Registration,
        subscriber: String,
        secretHash: [UInt8],
        at: WallTime,
        registeredAt: WallTime? = nil
    ) {
        self.pipeline = pipeline
        self.registration = registration
        self.subscriber = subscriber
        self.secretHash = secretHash
        self.at = at
        self.registeredAt = registeredAt ?? at
    }
}

/// What an app told anew of a subscription.
public struct SubscriptionRefresh: Sendable, Equatable {
    /// The ledger's number of it.
    public let subscription: Int64
    /// The provider's address.
    public let token: String
    /// Everything else, where the app told it; the user and the device never change.
    public let registration: Registration?
    /// Now.
    public let at: WallTime

    /// Describes a refresh.
    public init(subscription: Int64, token: String, registration: Registration?, at: WallTime) {
        self.subscription = subscription
        self.token = token
        self.registration = registration
        self.at = at
    }
}

/// A wish to end a subscription.
public struct SubscriptionEnd: Sendable, Equatable {
    /// The ledger's number of it.
    public let subscription: Int64
    /// Only while it has this token and the app told it at or before `registeredUntil`: a newer registration wins
    /// over an older verdict.
    public let onlyToken: String?
    /// The moment that a newer registration is after.
    public let registeredUntil: WallTime

    /// Wishes a subscription's end.
    public init(subscription: Int64, onlyToken: String? = nil, registeredUntil: WallTime = .distantFuture) {
        self.subscription = subscription
        self.onlyToken = onlyToken
        self.registeredUntil = registeredUntil
    }
}
