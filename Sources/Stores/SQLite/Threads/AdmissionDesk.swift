// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Synchronization

/// Gives each sort of work a room of its own, so that no sort can take another's: accepts by pipeline, lane and size;
/// registrations by pipeline; beside them, for all pipelines, what people wait for and what nobody does (receipts).
///
/// What may wait is bounded by the sum of the rooms: three of ``SQLiteLedger/Limits/writes`` and two of
/// ``SQLiteLedger/Limits/largeWrites`` for each pipeline, two of `writes` for the rest, and each overrun by one piece at
/// most.
final class AdmissionDesk: Sendable {
    private enum Kind {
        case accept, largeAccept, call
    }

    private struct Room: Hashable {
        /// `nil`: of all of them.
        let pipeline: PipelineNumber?
        let kind: Kind
        let isUrgent: Bool
    }

    private let limits: SQLiteLedger.Limits
    private let rooms = Mutex<[Room: Admission]>([:])

    init(_ limits: SQLiteLedger.Limits) { self.limits = limits }

    /// The room that a piece of work of some weight has to find place in.
    func room(for work: WriteJob.Work, weight: Int) -> Admission {
        let room = Self.room(for: work, weight: weight)
        return rooms.withLock { rooms in
            if let known = rooms[room] { return known }
            let new = Admission(limit: room.kind == .largeAccept ? limits.largeWrites : limits.writes)
            rooms[room] = new
            return new
        }
    }

    private static func room(for work: WriteJob.Work, weight: Int) -> Room {
        switch work {
        case .accept(let job):
            let kind: Kind = weight >= WriteJob.largeWeight ? .largeAccept : .accept
            let isUrgent = job.acceptance.notification.isUrgent
            return Room(pipeline: job.acceptance.pipeline, kind: kind, isUrgent: isUrgent)
        case .subscribe(let new, _): return Room(pipeline: new.pipeline, kind: .call, isUrgent: true)
        case .errand(let errand): return Room(pipeline: nil, kind: .call, isUrgent: errand.isUrgent)
        case .settle, .refresh, .end, .endAll, .pipeline, .swept, .pause:
            return Room(pipeline: nil, kind: .call, isUrgent: true)
        }
    }
}
