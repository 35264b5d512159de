// SPDX-License-Identifier: Apache-2.0

public import Bus
import Synchronization

/// Gathers reports and lets a test wait for them.
public final class Collector: DeliverySink {
    private struct State {
        var reports: [DeliveryReport] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    public init() {}

    public func report(_ reports: [DeliveryReport]) {
        let ready = state.withLock { state in
            state.reports += reports
            let ready = state.waiters.filter { $0.count <= state.reports.count }
            state.waiters.removeAll { $0.count <= state.reports.count }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Waits for so many reports; returns the outcomes by ticket.
    public func outcomes(_ count: Int) async -> [UInt64: Outcome] {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.reports.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
        let reports = state.withLock { $0.reports }
        return Dictionary(reports.map { ($0.ticket, $0.outcome) }, uniquingKeysWith: { first, _ in first })
    }
}
