// SPDX-License-Identifier: Apache-2.0

import Bus
import Synchronization

/// Has the ledger make deliveries of what waits in chunks, where a lane's window has room for them.
///
/// One step of a lane at a time: what was made comes as what is accepted does, and then there is room for the next or
/// there is not. Without room it looks now and then, for what expired or was cancelled has to end.
final class ChunkFeed: Sendable {
    private struct Lane {
        /// Whether something may wait; so it is at the start.
        var mayWait = true
        var isAsked = false
        var room = 0
        /// When to look although there is no room.
        var nextLook = MonotonicTime.distantPast
    }

    /// Deliveries made at once, and the least room that is worth a step.
    private static let step = 1_000
    private static let least = 250
    /// How often to look without room, in milliseconds.
    private static let interval: Int64 = 1_000

    private let pipeline: PipelineNumber
    private let ledger: any ChunkLedger
    private let lanes = Mutex([Lane(), Lane()])

    init(_ pipeline: PipelineNumber, _ ledger: any ChunkLedger) {
        self.pipeline = pipeline
        self.ledger = ledger
    }

    /// Takes how much room there is; on the dispatcher's thread, after each of its turns.
    func look(_ parts: DispatchParts, at now: MonotonicTime) {
        guard !parts.isDraining else { return }
        for lane in Queue.Lane.allCases {
            let room = parts.lanes[lane.rawValue].room
            lanes.withLock { $0[lane.rawValue].room = room }
            ask(lane, at: now)
        }
    }

    /// Notes that something waits.
    func arrived(_ lane: Queue.Lane) {
        lanes.withLock { lanes in
            lanes[lane.rawValue].mayWait = true
            lanes[lane.rawValue].nextLook = .distantPast
        }
        ask(lane, at: .now())
    }

    private func ask(_ lane: Queue.Lane, at now: MonotonicTime) {
        let room = lanes.withLock { lanes -> Int? in
            var state = lanes[lane.rawValue]
            let hasRoom = state.room >= Self.least
            guard state.mayWait, !state.isAsked, hasRoom || now >= state.nextLook else { return nil }
            state.isAsked = true
            state.nextLook = now.adding(milliseconds: Self.interval)
            lanes[lane.rawValue] = state
            return hasRoom ? min(state.room, Self.step) : 0
        }
        guard let room else { return }
        let queue = Queue(pipeline: pipeline, lane: lane)
        ledger.expand(queue, room: room, now: .now()) { [weak self] in self?.done(lane, $0, at: .now()) }
    }

    /// What was made wakes the dispatcher, and its turn brings the next step; of what ended at once nobody hears.
    private func done(_ lane: Queue.Lane, _ result: Result<Expansion, LedgerError>, at now: MonotonicTime) {
        let goesOn = lanes.withLock { lanes -> Bool in
            lanes[lane.rawValue].isAsked = false
            guard case .success(let expansion) = result else { return false }
            if !expansion.isMore { lanes[lane.rawValue].mayWait = false }
            guard expansion.isMore, expansion.made > 0 else { return false }
            lanes[lane.rawValue].nextLook = .distantPast
            lanes[lane.rawValue].room -= expansion.made
            return true
        }
        if goesOn { ask(lane, at: now) }
    }
}

extension AcceptedNotification {
    var lane: Queue.Lane { acceptance.notification.isUrgent ? .urgent : .bulk }
    var openCount: Int { acceptance.deliveries.count - closed.count }
}
