// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What a pool's handle and its loop both see.
final class PoolShared: Sendable {
    /// Requests submitted and not yet answered: the bound is kept on the submitting thread.
    let admitted = Atomic(0)
    let openConnections = Atomic(0)
    let inFlight = Atomic(0)
    let requests = Atomic(0)
    let connects = Atomic(0)
    let failure = Mutex<HTTP2Failure?>(nil)

    /// Admits up to `count` requests; returns how many there was room for.
    func admit(_ count: Int, bound: Int) -> Int {
        let before = admitted.add(count, ordering: .relaxed).oldValue
        let room = max(0, min(count, bound - before))
        if room < count { admitted.subtract(count - room, ordering: .relaxed) }
        return room
    }
}

/// What a loop needs to know of a pool.
struct PoolPlan: Sendable {
    let configuration: HTTP2PoolConfiguration
    let context: TLSContext?
    let shared: PoolShared
    let deliver: @Sendable ([HTTP2Result]) -> Void
}
