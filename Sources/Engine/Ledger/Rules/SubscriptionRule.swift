// SPDX-License-Identifier: Apache-2.0

package import Bus

/// What a subscription is found by: no two of a pipeline share the device of an app, or a token.
package struct SubscriptionPlace: Sendable, Equatable {
    /// Whose.
    package let user: RecipientID
    /// The app.
    package let app: String
    /// The device's id within the app.
    package let deviceID: String
    /// What the device runs.
    package let platform: Platform
    /// The provider's address.
    package let token: String

    /// Describes a place.
    package init(user: RecipientID, app: String, deviceID: String, platform: Platform, token: String) {
        self.user = user
        self.app = app
        self.deviceID = deviceID
        self.platform = platform
        self.token = token
    }

    /// Where a registration wants a subscription to be.
    package init(_ registration: Registration) {
        self.init(
            user: registration.user.id,
            app: registration.app,
            deviceID: registration.deviceID,
            platform: registration.platform,
            token: registration.token
        )
    }

    /// Whether it is the same app on the same device.
    package func isDevice(of other: SubscriptionPlace) -> Bool { app == other.app && deviceID == other.deviceID }

    /// Whether providers reach the same program on the same phone by it, whatever app that says it is.
    package func isAddress(of other: SubscriptionPlace) -> Bool { platform == other.platform && token == other.token }
}

/// The life of a subscription.
///
/// Pure; any thread. All that is compared is of one pipeline.
package enum SubscriptionRule {
    /// Whether a new registration takes the place of a subscription, or of one that is kept aside.
    package static func replaces(_ new: Registration, _ old: SubscriptionPlace) -> Bool {
        let place = SubscriptionPlace(new)
        return place.isDevice(of: old) || place.isAddress(of: old) || new.endsOtherDevices && old.user == place.user
    }

    /// The place of a subscription after its app told anew; others of the same address end.
    package static func place(of old: SubscriptionPlace, after refresh: SubscriptionRefresh) -> SubscriptionPlace {
        SubscriptionPlace(
            user: old.user,
            app: old.app,
            deviceID: old.deviceID,
            platform: refresh.registration?.platform ?? old.platform,
            token: refresh.token
        )
    }

    /// Whether a subscription is as a wish to end it says.
    package static func ends(_ wish: SubscriptionEnd, token: String, tokenAt: WallTime) -> Bool {
        (wish.onlyToken ?? token) == token && tokenAt <= wish.registeredUntil
    }

    /// Whether a verdict still stands: not where the app registered anew, or a provider took something since.
    package static func stands(
        _ verdict: InvalidToken,
        token: String,
        tokenAt: WallTime,
        lastSuccess: WallTime?
    ) -> Bool {
        ends(verdict.end, token: token, tokenAt: tokenAt) && (lastSuccess ?? .epoch) <= verdict.at
    }

    /// Whether one that a verdict ended can come back: whoever registered the device or the token since is not put
    /// aside for what was there before.
    package static func comesBack(_ removed: SubscriptionPlace, beside others: [SubscriptionPlace]) -> Bool {
        !others.contains { $0.isDevice(of: removed) || $0.isAddress(of: removed) }
    }

    /// When it was last heard of.
    package static func lastSeen(tokenAt: WallTime, lastSuccess: WallTime?, seen: WallTime?) -> WallTime {
        max(tokenAt, lastSuccess ?? .epoch, seen ?? .epoch)
    }

    /// Whether a sign is worth a write: the last of its kind is long enough ago; `interval` in milliseconds.
    package static func isWorthNoting(at now: WallTime, after last: WallTime?, every interval: Int64) -> Bool {
        (last ?? .epoch) <= now.adding(milliseconds: -interval)
    }
}
