// SPDX-License-Identifier: Apache-2.0

import Bus

/// How much may be under way over a channel: what the far end allows, what its pace needs, and little until it has
/// answered.
struct ChannelFlow {
    /// A far end that answered within this time is trusted with all there is, in milliseconds.
    private static let trust: Int64 = 2_000

    private let settings: DispatchSettings
    /// What the far end allows.
    private var bucket: TokenBucket?
    /// How much bulk it may have under way.
    var pace: Pace
    /// When it last gave a proper answer.
    private var lastAnswer: MonotonicTime?
    /// Since when it owes an answer.
    private var owesSince = MonotonicTime.distantPast
    /// Attempts under way.
    private(set) var underWay = 0
    /// Deliveries that were given a permit and are not under way yet.
    private(set) var permits = 0

    init(rate: Double?, settings: DispatchSettings) {
        self.settings = settings
        bucket = rate.map { TokenBucket(rate: $0) }
        pace = Pace(settings.bulkFlights)
    }

    /// Whether what waits may fill a window: it will go on in a moment.
    func isBrisk(at now: MonotonicTime) -> Bool {
        bucket == nil && (underWay < settings.trial(.bulk) || now.milliseconds(since: owesSince) <= Self.trust)
    }

    /// How many more deliveries may be given now; `.max` without a limit.
    ///
    /// A far end that has not answered lately is tried with a few first: a refused key is found out at the cost of few
    /// requests, and a silent one does not hold all that may be under way.
    mutating func room(_ lane: Queue.Lane, at now: MonotonicTime) -> Int {
        var room = Int.max
        if lastAnswer.map({ now.milliseconds(since: $0) > Self.trust }) ?? true {
            room = settings.trial(lane) - underWay
        }
        // Twice the window: a delivery may go to several devices, and should not go to some of them only.
        if lane == .bulk { room = min(room, 2 * pace.window - underWay) }
        if let tokens = bucket?.available(at: now) { room = min(room, tokens) }
        return room == .max ? room : max(0, room - permits)
    }

    /// When the rate allows the next; `nil` where there is no rate.
    func nextByRate(after now: MonotonicTime) -> MonotonicTime? { bucket?.next(after: now) }

    /// Notes that a delivery has a permit, or gave it back.
    mutating func permit(_ change: Int) { permits += change }

    /// Notes that an attempt begins.
    mutating func begin(at now: MonotonicTime) {
        if underWay == 0 { owesSince = now }
        underWay += 1
        bucket?.take()
    }

    /// Notes that an attempt ended, and whether the far end gave a proper answer; `startedAt` is when its delivery's
    /// round began, where it is bulk.
    mutating func end(isAnswer: Bool, startedAt: MonotonicTime? = nil, at now: MonotonicTime) {
        underWay -= 1
        guard isAnswer else { return }
        if let startedAt { pace.answered(from: startedAt, at: now) }
        lastAnswer = now
        owesSince = now
    }
}
