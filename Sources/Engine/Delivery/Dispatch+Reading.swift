// SPDX-License-Identifier: Apache-2.0

import Bus

/// What the ledger is asked for, and what its answers bring.
extension Dispatch {
    /// Takes a page that the ledger read into its lane's window.
    func load(_ window: LaneWindow, _ result: Result<DuePage, LedgerError>, at now: ClockReading) {
        let retryAfter = parts.sweepTime(after: now)
        switch result {
        case .success(let page): window.take(page, retryAfter: retryAfter, at: now)
        case .failure(let error):
            parts.actions.note(.error, "cannot read what is due", reason: "\(error)")
            window.failed(retryAfter: retryAfter)
        }
    }

    /// Asks the ledger for more where a window is half empty and there may be more.
    func refill(at now: ClockReading) {
        for window in parts.lanes {
            guard let limit = window.wantedPage(at: now.monotonic) else { continue }
            parts.actions.append(.load(window.lane, limit: limit))
        }
        parking.refill(at: now)
    }

    /// Once in a while: looks for what expired, writes again what could not be written.
    func sweep(at now: ClockReading) {
        guard parts.sweep.isDue(at: now.monotonic, every: parts.settings.sweepInterval) else { return }
        parts.outbox.retry()
        ends.endSilence(at: now)
        guard !parts.isDraining, parts.sweep.begin() else { return }
        parts.actions.append(.sweep(limit: ExpirySweep.limit))
    }

    /// Ends what the ledger found expired, unless a provider is about to say otherwise.
    func expire(_ result: Result<[QueuedDelivery], LedgerError>, at now: ClockReading) {
        let evicted = parts.sweep.end()
        guard case .success(let rows) = result else { return }
        for row in rows where !evicted.contains(row.sequence) {
            if let delivery = parts.table[row.sequence] {
                expire(delivery, at: now)
            } else {
                let lane: Queue.Lane = row.notification.notification.isUrgent ? .urgent : .bulk
                let delivery = InFlightDelivery(row, lane: lane, at: now)
                guard delivery.isLost || delivery.isExpired(at: now.wall) else { continue }
                parts.lanes[lane.rawValue].keep(delivery)
                _ = starts.endEarly(delivery, at: now)
            }
        }
        if rows.count == ExpirySweep.limit { parts.sweep.goOn(at: now.monotonic) }
    }

    private func expire(_ delivery: InFlightDelivery, at now: ClockReading) {
        switch delivery.phase {
        case .ready where delivery.isLost: escalation.finishLost(delivery, at: now)
        case .ready where delivery.isExpired(at: now.wall), .scheduled where delivery.isExpired(at: now.wall),
            .blocked where delivery.isExpired(at: now.wall):
            lifecycle.expire(delivery, at: now)
        default: break
        }
    }

    /// How things are.
    var report: DispatchReport {
        DispatchReport(
            inMemory: parts.lanes.map(\.count),
            underWay: parts.table.attempts.count,
            channels: parts.gates.map {
                DispatchReport.Channel(
                    label: $0.label,
                    isPaused: $0.farEnd.isPaused,
                    isSuspended: !$0.farEnd.health.isWorking,
                    isInDoubt: $0.tokens.isInDoubt,
                    blocked: $0.waiting
                )
            }
        )
    }
}
