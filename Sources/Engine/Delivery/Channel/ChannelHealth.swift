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
        case suspended(until: MonotonicTime, probes: Int, since: MonotonicTime)
        case probing(probes: Int, since: MonotonicTime)
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
        if case .suspended(let until, _, _) = state { until } else { nil }
    }

    /// Asks for a permit to send one delivery; while suspended, it is a probe's and is given once.
    mutating func admits(at now: MonotonicTime) -> Bool {
        switch state {
        case .working: return true
        case .probing: return false
        case .suspended(let until, let probes, let since):
            guard now >= until else { return false }
            state = .probing(probes: probes, since: since)
            return true
        }
    }

    /// Takes back a permit that was not used.
    mutating func withdraw(at now: MonotonicTime) {
        if case .probing(let probes, let since) = state {
            state = .suspended(until: now, probes: probes, since: since)
        }
    }

    /// The far end answered as it should, whatever it said, to what began at a moment; returns whether that ended a
    /// suspension.
    ///
    /// What was asked before the suspension says nothing of the far end since: while a thousand requests are under way
    /// and it fails half of them, the channel would be suspended and work again from one millisecond to the next.
    mutating func answered(to began: MonotonicTime, at now: MonotonicTime) -> Bool {
        switch state {
        case .working: break
        case .suspended(_, _, let since):
            if began < since || now < quietUntil { return false }
        case .probing(_, let since):
            if began < since { return false }
        }
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

    /// An operator says that it is worth a try: a suspended channel is probed at once, whatever its far end asked for.
    mutating func tryNow(at now: MonotonicTime) {
        quietUntil = .distantPast
        guard case .suspended(_, _, let since) = state else { return }
        state = .suspended(until: now, probes: 1, since: since)
    }

    /// The channel cannot be used until somebody mends something, or until `minimum` milliseconds have passed.
    mutating func suspend(at now: MonotonicTime, minimum: Int64 = 0) {
        if minimum > 0 { quietUntil = max(quietUntil, now.adding(milliseconds: minimum)) }
        switch state {
        case .working:
            let wait = max(minimum, Self.probes.ceiling(after: 1))
            state = .suspended(until: now.adding(milliseconds: wait), probes: 1, since: now)
        case .probing(let probes, let since):
            let wait = max(minimum, Self.probes.ceiling(after: probes + 1))
            state = .suspended(until: now.adding(milliseconds: wait), probes: probes + 1, since: since)
        case .suspended(let until, let probes, let since):
            // What was in flight when the first verdict came says the same again: that is no further probe.
            state = .suspended(until: max(until, now.adding(milliseconds: minimum)), probes: probes, since: since)
        }
    }
}
