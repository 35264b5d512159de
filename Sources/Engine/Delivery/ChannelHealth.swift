// SPDX-License-Identifier: Apache-2.0

import Bus

/// Whether a channel may be used: suspended after a fault of ours or of the far end, then probed with one delivery
/// at a time until the far end answers properly again.
struct ChannelHealth {
    /// Failures of the far end in a row that suspend the channel.
    static let failuresToSuspend = 20
    /// The waits between probes, in milliseconds: from one second, doubled up to twenty.
    static let probes = Backoff(initial: 1_000, max: 20_000)

    private enum State {
        case working(failures: Int)
        case suspended(until: MonotonicTime, probes: Int)
        case probing(probes: Int)
    }

    private var state = State.working(failures: 0)
    /// The far end asked to be left alone until then.
    private var quietUntil = MonotonicTime.distantPast

    /// Whether deliveries flow freely.
    var isWorking: Bool {
        if case .working = state { true } else { false }
    }

    /// When the next probe may be sent; `nil` while the channel works or a probe is under way.
    var nextProbe: MonotonicTime? {
        if case .suspended(let until, _) = state { until } else { nil }
    }

    /// Asks for leave to send one delivery; while suspended, the leave is a probe's and is given once.
    mutating func admits(at now: MonotonicTime) -> Bool {
        switch state {
        case .working: return true
        case .probing: return false
        case .suspended(let until, let probes):
            guard now >= until else { return false }
            state = .probing(probes: probes)
            return true
        }
    }

    /// Takes back a leave that was not used.
    mutating func withdraw(at now: MonotonicTime) {
        if case .probing(let probes) = state { state = .suspended(until: now, probes: probes) }
    }

    /// The far end answered as it should, whatever it said; returns whether that ended a suspension.
    ///
    /// It does not end one that the far end asked for: the answer was on its way before.
    mutating func answered(at now: MonotonicTime) -> Bool {
        if case .suspended = state, now < quietUntil { return false }
        defer { state = .working(failures: 0) }
        return !isWorking
    }

    /// The far end failed; returns whether that suspends the channel now.
    mutating func failed(at now: MonotonicTime) -> Bool {
        switch state {
        case .working(let failures) where failures + 1 < Self.failuresToSuspend:
            state = .working(failures: failures + 1)
            return false
        case .working:
            suspend(at: now)
            return true
        case .probing, .suspended:
            suspend(at: now)
            return false
        }
    }

    /// The channel cannot be used until somebody mends something, or until `minimum` milliseconds have passed.
    mutating func suspend(at now: MonotonicTime, minimum: Int64 = 0) {
        if minimum > 0 { quietUntil = max(quietUntil, now.adding(milliseconds: minimum)) }
        switch state {
        case .working:
            state = .suspended(until: now.adding(milliseconds: max(minimum, Self.probes.ceiling(after: 1))), probes: 1)
        case .probing(let probes):
            let wait = max(minimum, Self.probes.ceiling(after: probes + 1))
            state = .suspended(until: now.adding(milliseconds: wait), probes: probes + 1)
        case .suspended(let until, let probes):
            // What was in flight when the first verdict came says the same again: that is no further probe.
            state = .suspended(until: max(until, now.adding(milliseconds: minimum)), probes: probes)
        }
    }
}
