// SPDX-License-Identifier: Apache-2.0

import Bus
import Threads

extension Pipeline {
    /// Answers a question from the ledger.
    func answer(_ query: Query) async -> Reply {
        let now = WallTime.now()
        switch query {
        case .notification(let id):
            switch await completed({ ledger.notification(id, in: number, now: now, completion: $0) }) {
            case .failure(let error): return reply(error)
            case .success(let notification): return notification.map { .notification($0) } ?? .notFound
            }
        case .deliveryStatus(let id):
            switch await completed({ ledger.statuses(of: id, in: number, completion: $0) }) {
            case .failure(let error): return reply(error)
            case .success(let statuses): return statuses.map { .statuses($0) } ?? .notFound
            }
        case .subscriptions(let users):
            switch await completed({ ledger.areSubscribed(users.map(\.id), in: number, completion: $0) }) {
            case .failure(let error): return reply(error)
            case .success(let known): return .exists(!known.contains(false))
            }
        case .device(let app, let deviceID, let user):
            switch await completed({ ledger.subscriptions(ofDevice: deviceID, app: app, in: number, completion: $0) }) {
            case .failure(let error): return reply(error)
            case .success(let found): return .exists(found.contains { $0.user == user.id })
            }
        case .timeline(let id): return await timeline(of: id)
        case .details(let id, let subscriber, let credential):
            return await details(of: id, for: subscriber, credential)
        }
    }
}

extension Pipeline {
    /// Brings forward what was stored by a clock that was wrong.
    func capWaits(longest: Int64) async {
        let latest = ledger.schedule.read().due.adding(milliseconds: longest)
        if case .failure(let error) = await completed({ ledger.capWaits(number, at: latest, completion: $0) }) {
            log.error("cannot look for waits that are too long", ["reason": "\(error)"])
        }
    }

    /// Counts what waited when the bus was last stopped, so that the depth's gauges go on from there; returns where
    /// deliveries are parked.
    func countBacklog() async -> [(number: Int32, lane: Queue.Lane)] {
        switch await completed({ ledger.depth(number, completion: $0) }) {
        case .failure(let error):
            log.error("cannot count the backlog", ["reason": "\(error)"])
            return []
        case .success(let depths):
            for (queue, depth) in depths { metrics.queued(queue.lane, depth) }
            return depths.keys.filter { $0.parking != 0 }.map { ($0.parking, $0.lane) }
        }
    }
}
