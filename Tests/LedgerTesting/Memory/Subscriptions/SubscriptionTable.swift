// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// A device that gets a user's notifications, with what is known of its life.
struct SubscriptionRow: Sendable {
    let pipeline: PipelineNumber
    var subscription: Subscription
    /// When a provider last took something for it.
    var lastSuccess: WallTime?
    /// When its app last told a receipt.
    var seen: WallTime?
    /// When its app last told each event.
    var events: [String: WallTime] = [:]

    var sequence: Int64 { subscription.sequence }

    /// When it was last heard of.
    var lastSeen: WallTime {
        SubscriptionRule.lastSeen(tokenAt: subscription.tokenAt, lastSuccess: lastSuccess, seen: seen)
    }

    var place: SubscriptionPlace {
        SubscriptionPlace(
            user: subscription.user,
            app: subscription.app,
            deviceID: subscription.deviceID,
            platform: subscription.platform,
            token: subscription.token
        )
    }
}

/// A subscription that a verdict ended.
struct RemovedRow: Sendable {
    let row: SubscriptionRow
    /// Whose verdict; it never comes back without one.
    let channel: String?
    let reason: String
    let at: WallTime
}

/// All subscriptions, and those that are kept aside; numbers are never given again.
struct SubscriptionTable: Sendable {
    private(set) var rows: [Int64: SubscriptionRow] = [:]
    private(set) var removed: [Int64: RemovedRow] = [:]
    private var last: Int64 = 0

    subscript(sequence: Int64) -> SubscriptionRow? { rows[sequence] }

    /// The device of a subscription, also of one that is kept aside.
    func device(of sequence: Int64) -> String? { (rows[sequence] ?? removed[sequence]?.row)?.place.deviceID }

    func has(_ user: RecipientID, in pipeline: PipelineNumber) -> Bool {
        rows.values.contains { $0.pipeline == pipeline && $0.subscription.user == user }
    }

    /// Newest first.
    func list(in pipeline: PipelineNumber, where matches: (Subscription) -> Bool) -> [Subscription] {
        rows.values.filter { $0.pipeline == pipeline && matches($0.subscription) }.map(\.current)
            .sorted { $0.sequence > $1.sequence }
    }

    func named(_ subscriber: String, in pipeline: PipelineNumber) -> Subscription? {
        list(in: pipeline) { $0.subscriber == subscriber }.first
    }

    /// Keeps a new one and ends those it takes the place of; returns how many.
    mutating func insert(_ new: NewSubscription) -> Int {
        let ended = end(in: new.pipeline) { SubscriptionRule.replaces(new.registration, $0.place) }
        forgetRemoved(in: new.pipeline) { SubscriptionRule.replaces(new.registration, $0) }
        last += 1
        rows[last] = SubscriptionRow(pipeline: new.pipeline, subscription: Subscription(last, new))
        return ended
    }

    /// Gives one what its app told anew; returns how many others ended, `nil` where it is gone.
    mutating func refresh(_ refresh: SubscriptionRefresh) -> Int? {
        guard let row = rows[refresh.subscription] else { return nil }
        let place = SubscriptionRule.place(of: row.place, after: refresh)
        let ended = end(in: row.pipeline) { $0.sequence != row.sequence && $0.place.isAddress(of: place) }
        forgetRemoved(in: row.pipeline) { $0.isAddress(of: place) }
        rows[row.sequence]?.subscription = row.subscription.refreshed(by: refresh)
        return ended
    }

    /// Ends those of a pipeline that match; returns how many.
    mutating func end(in pipeline: PipelineNumber, where matches: (SubscriptionRow) -> Bool) -> Int {
        let ended = rows.values.filter { $0.pipeline == pipeline && matches($0) }
        for row in ended { rows[row.sequence] = nil }
        return ended.count
    }

    /// Ends one while it is as a wish says; returns it then.
    mutating func end(_ wish: SubscriptionEnd) -> SubscriptionRow? {
        guard let row = rows[wish.subscription],
            SubscriptionRule.ends(wish, token: row.subscription.token, tokenAt: row.subscription.tokenAt)
        else { return nil }
        return rows.removeValue(forKey: wish.subscription)
    }

    mutating func update(_ sequence: Int64, _ change: (inout SubscriptionRow) -> Void) {
        guard var row = rows[sequence] else { return }
        change(&row)
        rows[sequence] = row
    }

    // MARK: Kept aside

    mutating func setAside(_ row: SubscriptionRow, _ token: InvalidToken, by channel: String?) {
        removed[row.sequence] = RemovedRow(row: row, channel: channel, reason: token.reason, at: token.at)
    }

    /// Brings one back where it may come, and forgets that it was aside; says whether it came.
    mutating func restore(_ aside: RemovedRow) -> Bool {
        removed[aside.row.sequence] = nil
        let others = rows.values.filter { $0.pipeline == aside.row.pipeline }.map(\.place)
        guard SubscriptionRule.comesBack(aside.row.place, beside: others) else { return false }
        rows[aside.row.sequence] = aside.row
        return true
    }

    mutating func forgetRemoved(in pipeline: PipelineNumber, where matches: (SubscriptionPlace) -> Bool) {
        removed = removed.filter { $0.value.row.pipeline != pipeline || !matches($0.value.row.place) }
    }

    /// Forgets the oldest that were removed before a moment; returns how many.
    mutating func forgetRemoved(before: WallTime, limit: Int) -> Int {
        let old = removed.values.filter { $0.at < before }.sorted { $0.at < $1.at }.prefix(limit)
        for aside in old { removed[aside.row.sequence] = nil }
        return old.count
    }
}

extension SubscriptionRow {
    /// With the day of its last success.
    var current: Subscription {
        Subscription(
            sequence: sequence,
            subscriber: subscription.subscriber,
            user: subscription.user,
            app: subscription.app,
            deviceID: subscription.deviceID,
            platform: subscription.platform,
            token: subscription.token,
            tokenAt: subscription.tokenAt,
            secretHash: subscription.secretHash,
            phone: subscription.phone,
            lastSuccess: lastSuccess
        )
    }
}

extension Subscription {
    fileprivate init(_ sequence: Int64, _ new: NewSubscription) {
        self.init(
            sequence: sequence,
            subscriber: new.subscriber,
            user: new.registration.user.id,
            app: new.registration.app,
            deviceID: new.registration.deviceID,
            platform: new.registration.platform,
            token: new.registration.token,
            tokenAt: new.at,
            secretHash: new.secretHash,
            phone: new.registration.phone,
            lastSuccess: nil
        )
    }
}
