// SPDX-License-Identifier: Apache-2.0

/// What a channel's guard against waves of invalid tokens has to know after a restart.
public struct InvalidTokenRecord: Sendable, Equatable {
    /// When subscriptions were removed at once, within the last hour.
    public var removals: [DueTime]
    /// Since when the channel is in doubt; `nil` where it is trusted.
    public var doubtedSince: DueTime?
    /// Since when verdicts wait to be judged; `nil` where none does.
    public var waitingSince: DueTime?
    /// Results that those verdicts are judged by, or the latest ones.
    public var results: Int
    /// How many of them were verdicts.
    public var verdicts: Int

    /// Describes what a guard knows; without anything, a channel of which nothing is known.
    public init(
        removals: [DueTime] = [],
        doubtedSince: DueTime? = nil,
        waitingSince: DueTime? = nil,
        results: Int = 0,
        verdicts: Int = 0
    ) {
        self.removals = removals
        self.doubtedSince = doubtedSince
        self.waitingSince = waitingSince
        self.results = results
        self.verdicts = verdicts
    }
}
