// SPDX-License-Identifier: Apache-2.0

import Bus

/// What the dispatcher knows of one channel of its pipeline.
struct ChannelState {
    /// The instance's name.
    let label: String
    /// Whom it can reach.
    let reach: Reach
    /// When it is used at all; `nil`: always.
    let condition: Condition?
    /// When it takes the place of pushes; `nil` for a channel that pushes.
    let phones: PhoneRoute?
    /// Whether an operator stopped it.
    var isPaused = false
    /// Whether it works.
    var health = ChannelHealth()
    /// From when on a failure of the far end is told to operators again.
    var tellsFailuresFrom = MonotonicTime.distantPast
    /// What its verdicts on tokens are worth.
    var tokens = InvalidTokenGuard()
    /// What the far end allows.
    var bucket: TokenBucket?
    /// How much bulk it may have under way.
    var pace = Pace(DispatchSettings().bulkFlights)
    /// Deliveries in memory that wait for it, urgent and bulk.
    var blocked = [WaitingLine(), WaitingLine()]
    /// The delivery that was let go to probe it.
    var candidate: Int64?
    /// When the far end last took something.
    var lastAccepted: MonotonicTime?
    /// When it last gave a proper answer.
    private(set) var lastAnswer: MonotonicTime?
    /// Attempts under way.
    private(set) var flights = 0
    /// Since when it owes an answer.
    private var owesSince = MonotonicTime.distantPast
    /// Deliveries that were given leave and are not under way yet.
    var leaves = 0

    /// A far end that answered within this time is trusted with all there is, in milliseconds.
    private static let trust: Int64 = 2_000

    init(label: String, reach: Reach, condition: Condition?, rate: Double? = nil, fallbackDelay: Int64 = 30_000) {
        self.label = label
        self.reach = reach
        self.condition = condition
        phones = reach == .phones ? PhoneRoute(condition: condition, delay: fallbackDelay) : nil
        bucket = rate.map { TokenBucket(rate: $0) }
    }

    /// Whether it could carry a notification to a device, now or later.
    func serves(_ device: Subscription, _ notification: Notification) -> Bool {
        guard case .devices(let platforms) = reach, platforms.contains(device.platform) else { return false }
        guard let condition else { return true }
        return condition.matches(ConditionAttributes(notification: notification, device: device))
    }

    /// Whether neither an operator nor a fault stops it.
    var isUsable: Bool { !isPaused && health.isWorking }

    /// Whether what waits for it may fill a window: it will go on in a moment.
    func isBrisk(at now: MonotonicTime, _ settings: DispatchSettings) -> Bool {
        guard isUsable, bucket == nil else { return false }
        return flights < settings.trial(.bulk) || now.milliseconds(since: owesSince) <= Self.trust
    }

    /// How many more deliveries it may be given now.
    ///
    /// One that has not answered lately is tried with a few first: a refused key is found out at the cost of few
    /// requests, and a silent far end does not hold all that may be under way.
    mutating func room(_ lane: Queue.Lane, at now: MonotonicTime, _ settings: DispatchSettings) -> Int {
        guard isUsable else { return 0 }
        var room = Int.max
        if lastAnswer.map({ now.milliseconds(since: $0) > Self.trust }) ?? true {
            room = settings.trial(lane) - flights
        }
        // Twice the window: a delivery may go to several devices, and should not go to some of them only.
        if lane == .bulk { room = min(room, 2 * pace.window - flights) }
        if let tokens = bucket?.available(at: now) { room = min(room, tokens) }
        return room == .max ? room : max(0, room - leaves)
    }

    /// Notes that an attempt begins.
    mutating func begin(at now: MonotonicTime) {
        if flights == 0 { owesSince = now }
        flights += 1
        bucket?.take()
    }

    /// Notes that an attempt ended, and whether the far end gave a proper answer; `turn` is when its delivery had its
    /// turn, where it is bulk.
    mutating func end(isAnswer: Bool, from turn: MonotonicTime? = nil, at now: MonotonicTime) {
        flights -= 1
        guard isAnswer else { return }
        if let turn { pace.answered(from: turn, at: now) }
        lastAnswer = now
        owesSince = now
    }
}
