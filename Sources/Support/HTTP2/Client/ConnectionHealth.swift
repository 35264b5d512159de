// SPDX-License-Identifier: Apache-2.0

internal import Bus

/// What one connection has shown of itself: a provider may be well while one of its machines is not.
///
/// A connection is *in doubt* while it fails (errors of the far end in a row) or is silent (requests were sent and
/// nothing is answered). One good answer clears it. What follows from doubt is the pool's business.
struct ConnectionHealth {
    /// Errors in a row that put a connection in doubt which has served before; the first will do for one that has not.
    private static let failuresToDoubt = 3

    private var failures = 0
    private var hasServed = false
    /// Since when it has done nothing but fail.
    private(set) var failingSince: MonotonicTime?
    /// Since when requests were sent here and nothing was answered.
    private(set) var silentSince: MonotonicTime?

    /// Notes that a request was sent.
    mutating func sent(at now: MonotonicTime) { silentSince = silentSince ?? now }

    /// Notes an answer; `isAwaiting` says whether others are still owed.
    mutating func answered(_ status: Int, isAwaiting: Bool, at now: MonotonicTime) {
        silentSince = isAwaiting ? now : nil
        guard Self.isGood(status) else {
            failures += 1
            failingSince = failingSince ?? now
            return
        }
        failures = 0
        failingSince = nil
        hasServed = true
    }

    /// Whether an answer shows that the far end does its work, whatever it thinks of the request.
    static func isGood(_ status: Int) -> Bool { status < 500 }

    /// Whether it only fails.
    var isFailing: Bool { failures >= (hasServed ? Self.failuresToDoubt : 1) }

    /// Whether it has answered nothing for so many nanoseconds.
    func isSilent(for time: UInt64, at now: MonotonicTime) -> Bool {
        silentSince.map { $0.adding(nanoseconds: time) <= now } ?? false
    }
}
