// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Synchronization

/// Gives each sort of work a room of its own, so that no sort can take another's: accepts by pipeline, lane and size,
/// and beside them whatever else people and apps wait for.
///
/// What may wait is bounded by the sum of the rooms: for each pipeline two of ``SQLiteLedger/Limits/writes`` and two of
/// ``SQLiteLedger/Limits/largeWrites``, each overrun by one piece at most, and one room of `writes` for the rest.
final class AdmissionDesk: Sendable {
    private struct Room: Hashable {
        let pipeline: PipelineNumber
        let isUrgent: Bool
        let isLarge: Bool
    }

    private let limits: SQLiteLedger.Limits
    private let rest: Admission
    private let rooms = Mutex<[Room: Admission]>([:])

    init(_ limits: SQLiteLedger.Limits) {
        self.limits = limits
        rest = Admission(limit: limits.writes)
    }

    /// The room that a piece of work of some weight has to find place in.
    func room(for work: WriteJob.Work, weight: Int) -> Admission {
        guard case .accept(let job) = work else { return rest }
        let room = Room(
            pipeline: job.acceptance.pipeline,
            isUrgent: job.acceptance.notification.isUrgent,
            isLarge: weight >= WriteJob.largeWeight
        )
        return rooms.withLock { rooms in
            if let known = rooms[room] { return known }
            let new = Admission(limit: room.isLarge ? limits.largeWrites : limits.writes)
            rooms[room] = new
            return new
        }
    }
}
