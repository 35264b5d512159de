// SPDX-License-Identifier: Apache-2.0

import Bus
import Collections

/// Guards a channel's customers against a wave of verdicts that their tokens are dead.
///
/// A mistake of ours (another environment's key, another app's topic) and a fault of a provider's look like many dead
/// tokens at once, and a subscription that is removed by mistake comes back only when its owner opens the app. So:
///
/// - three removals an hour are made at once;
/// - further verdicts wait until fifty results around them are known, or an hour is over, and are acted upon where at
///   most a fifth of those results are verdicts;
/// - more put the channel in doubt: what waits and what follows is quarantined, and what was removed comes back.
///
/// Doubt ends by an operator's word, or after an hour and fifty results of which less than a twentieth are verdicts.
/// Nothing of this is about deliveries: they go on.
struct InvalidTokenGuard: Sendable {
    /// Removals an hour that are made at once.
    static let removalsAtOnce = 3
    /// Results from which on a share means something.
    static let resultsToJudge = 50
    /// Of these, how many may have been before the first verdict that waits.
    static let resultsBefore = 25
    /// The length of an hour, in milliseconds.
    static let hour: Int64 = 3_600_000

    /// What is to happen to a verdict.
    enum Ruling: Sendable, Equatable {
        case remove, wait, quarantine
    }

    /// What is to happen to the verdicts that waited.
    enum Judgement: Sendable, Equatable {
        /// They are acted upon.
        case removeWaiting
        /// Too many to be true: `verdicts` of `results`.
        case doubt(verdicts: Int, results: Int)
        /// The channel is trusted again.
        case trust
    }

    /// Results, and how many of them were verdicts.
    struct Share: Sendable, Equatable {
        var results = 0
        var verdicts = 0

        mutating func count(isVerdict: Bool) {
            results += 1
            if isVerdict { verdicts += 1 }
        }
    }

    /// What was removed at once within the last hour.
    private var removals: [DueTime] = []
    /// The latest results.
    private var latest = RecentResults(capacity: resultsBefore)
    /// The results around the verdicts that wait; `nil` where none does.
    private var around: (share: Share, since: DueTime)?
    /// Since when the channel is in doubt.
    private(set) var doubtedSince: DueTime?
    /// What was seen in doubt since a moment.
    private var calm: (share: Share, since: DueTime)?
    /// Devices with a verdict that waits or is quarantined, which their next success clears.
    private var suspects: Set<Int64>
    /// Whether there are others that are not remembered, for they are many or came back: then every success clears.
    private var isCrowded = false

    init(_ record: InvalidTokenRecord = InvalidTokenRecord(), suspects: [Int64] = []) {
        self.suspects = Set(suspects.prefix(KnownGuard.mostSuspects))
        isCrowded = suspects.count > KnownGuard.mostSuspects
        removals = record.removals
        doubtedSince = record.doubtedSince
        let share = Share(results: record.results, verdicts: record.verdicts)
        latest.fill(share)
        if let since = record.waitingSince { around = (share, since) }
        if let since = record.doubtedSince { calm = (Share(), since) }
    }

    /// Whether removals are on hold.
    var isInDoubt: Bool { doubtedSince != nil }

    /// What has to survive a restart.
    var record: InvalidTokenRecord {
        let share = around?.share ?? latest.share
        return InvalidTokenRecord(
            removals: removals,
            doubtedSince: doubtedSince,
            waitingSince: around?.since,
            results: share.results,
            verdicts: share.verdicts
        )
    }

    private static func anHour(after time: DueTime) -> DueTime { time.adding(milliseconds: hour) }

    /// Notes a result of the channel that is no verdict; returns whether it clears a verdict on the device.
    mutating func noteResult(of device: Int64, isSuccess: Bool, at now: DueTime) -> Bool {
        count(isVerdict: false, at: now)
        guard isSuccess else { return false }
        return suspects.remove(device) != nil || isCrowded
    }

    /// Rules on a verdict that a device's token is dead.
    mutating func rule(on device: Int64, at now: DueTime) -> Ruling {
        removals.removeAll { Self.anHour(after: $0) <= now }
        let isAtOnce = !isInDoubt && around == nil && removals.count < Self.removalsAtOnce
        if isAtOnce {
            count(isVerdict: true, at: now)
            removals.append(now)
            return .remove
        }
        if !isInDoubt, around == nil { around = (latest.share, now) }
        count(isVerdict: true, at: now)
        if suspects.count < KnownGuard.mostSuspects { suspects.insert(device) } else { isCrowded = true }
        return isInDoubt ? .quarantine : .wait
    }

    /// Judges what waits, if it is time.
    mutating func judge(at now: DueTime) -> Judgement? {
        if isInDoubt { return isCalm(at: now) ? endDoubt() : nil }
        guard let (share, since) = around, share.results >= Self.resultsToJudge || now >= Self.anHour(after: since)
        else { return nil }
        around = nil
        guard share.verdicts * 5 > share.results else {
            forgetSuspects()
            return .removeWaiting
        }
        doubtedSince = now
        calm = (Share(), now)
        // What had been removed comes back quarantined, and is not known here by number.
        isCrowded = true
        return .doubt(verdicts: share.verdicts, results: share.results)
    }

    /// An operator decided: nothing waits any more, and the channel is trusted.
    mutating func decide() {
        around = nil
        forgetSuspects()
        doubtedSince = nil
        calm = nil
    }

    private mutating func endDoubt() -> Judgement {
        decide()
        return .trust
    }

    private mutating func forgetSuspects() {
        suspects = []
        isCrowded = false
    }

    private mutating func count(isVerdict: Bool, at now: DueTime) {
        latest.add(isVerdict)
        if isInDoubt {
            calm?.share.count(isVerdict: isVerdict)
            // A stretch with too many verdicts is over as soon as that is known: the hour begins anew.
            if let share = calm?.share, share.results >= Self.resultsToJudge, share.verdicts * 20 >= share.results {
                calm = (Share(), now)
            }
        } else if around != nil {
            around?.share.count(isVerdict: isVerdict)
        }
    }

    private func isCalm(at now: DueTime) -> Bool {
        guard let calm else { return false }
        return calm.share.results >= Self.resultsToJudge && now >= Self.anHour(after: calm.since)
    }
}

/// The last few results of a channel.
private struct RecentResults: Sendable {
    private let capacity: Int
    private var verdicts = Deque<Bool>()
    private(set) var share = InvalidTokenGuard.Share()

    init(capacity: Int) { self.capacity = capacity }

    mutating func add(_ isVerdict: Bool) {
        verdicts.append(isVerdict)
        share.count(isVerdict: isVerdict)
        guard share.results > capacity, let oldest = verdicts.popFirst() else { return }
        share.results -= 1
        if oldest { share.verdicts -= 1 }
    }

    /// Takes over what is known of results whose order is not: as many of them are verdicts as of all.
    mutating func fill(_ known: InvalidTokenGuard.Share) {
        let count = min(known.results, capacity)
        guard count > 0 else { return }
        let verdicts = (min(known.verdicts, known.results) * count + known.results - 1) / known.results
        for index in 0..<count { add(index < verdicts) }
    }
}
