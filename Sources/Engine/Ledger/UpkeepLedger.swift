// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What has to be done as time passes, in pieces small enough to hold nobody up.
public protocol UpkeepLedger: AnyObject, Sendable {
    /// Says how fine it is kept when subscriptions were last seen: two of a kind nearer to each other than this
    /// many milliseconds may count as one.
    func keepLastSeen(_ pipeline: PipelineNumber, every interval: Int64, completion: @escaping Completion<Void>)

    /// Ends subscriptions that were last seen (registration, token, accepted push, receipt) before `before`,
    /// at most `limit`; returns how many ended.
    func endSilent(
        _ pipeline: PipelineNumber,
        before: WallTime,
        limit: Int,
        completion: @escaping Completion<Int>
    )

    /// Looks after notifications whose time has passed, at most `limit`: erases the content of PIN codes, and tells
    /// the links that want it who had no receipt. Returns how many there were.
    func conclude(_ pipeline: PipelineNumber, now: WallTime, limit: Int, completion: @escaping Completion<Int>)

    /// Deletes notifications of all pipelines that were accepted before a moment, with all that belongs to them, about
    /// `limit` rows from a place on; dead letters that are older too. What still has something to be sent or told stays.
    ///
    /// Completes with where to go on; `nil` where nothing older is left.
    func forget(
        before: WallTime,
        from place: RetentionPlace,
        limit: Int,
        completion: @escaping Completion<RetentionPlace?>
    )
}

/// How far a deletion of old notifications got.
public struct RetentionPlace: Sendable, Equatable {
    /// The ledger's number of the notification to go on with.
    public let notification: Int64
    /// Whether some of its deliveries are gone already.
    public let isBegun: Bool

    /// Names a place; without anything, the beginning.
    public init(notification: Int64 = 0, isBegun: Bool = false) {
        self.notification = notification
        self.isBegun = isBegun
    }
}

/// When a notification's time has passed, as far as its content is concerned.
public enum NotificationTime {
    /// What "now" means for a timeout of 0, in milliseconds: long enough for a queue of moments, short enough that
    /// nothing is sent again after a restart.
    public static let nowLasts: Int64 = 10_000

    /// The moment.
    public static func end(accepted: WallTime, expires: WallTime) -> WallTime {
        expires > accepted ? expires : accepted.adding(milliseconds: nowLasts)
    }
}
