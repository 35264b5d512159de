// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Synchronization

/// A place in the order in which notifications expire.
struct SweepPosition: Equatable, Comparable {
    var expires: WallTime
    var notification: Int64
    var delivery: Int64

    static func < (left: Self, right: Self) -> Bool {
        (left.expires, left.notification, left.delivery) < (right.expires, right.notification, right.delivery)
    }

    static func start(of expires: WallTime) -> SweepPosition {
        SweepPosition(expires: expires, notification: 0, delivery: 0)
    }
}

/// How far each pipeline was swept for expired deliveries: a sweep looks only at what expired since the last one.
///
/// Sweeps go in rounds. A round begins at the first delivery the last one found open and ends when nothing is left;
/// so what stays open is found again, and never keeps a sweep from what comes after it. The reader moves forward; the
/// writer moves back, when it commits something that expires before the place reached (a timeout of zero, a clock set
/// back). The reader may not have seen that commit, so it never moves beyond what came in since it began.
final class SweepPositions: Sendable {
    fileprivate struct Sweep {
        var roundStart: SweepPosition
        var next: SweepPosition
        var firstOpen: SweepPosition?
        var earliestArrival = WallTime.distantFuture
        var stored: WallTime
    }

    private let sweeps: Mutex<[PipelineNumber: Sweep]>

    init(_ stored: [PipelineNumber: WallTime]) {
        sweeps = Mutex(
            stored.mapValues { until in
                Sweep(roundStart: .start(of: until), next: .start(of: until), stored: until)
            }
        )
    }

    func add(_ pipeline: PipelineNumber) {
        sweeps.withLock { sweeps in
            if sweeps[pipeline] == nil {
                sweeps[pipeline] = Sweep(roundStart: .start(of: .epoch), next: .start(of: .epoch), stored: .epoch)
            }
        }
    }

    /// The time before which all is closed, as far as is known.
    func closedUntil(_ pipeline: PipelineNumber) -> WallTime {
        sweeps.withLock { $0[pipeline]?.roundStart.expires ?? .epoch }
    }

    /// Where to go on; to be called before the snapshot is taken.
    func begin(_ pipeline: PipelineNumber) -> SweepPosition? {
        sweeps.withLock { sweeps in
            sweeps[pipeline]?.earliestArrival = .distantFuture
            return sweeps[pipeline]?.next
        }
    }

    /// Notes how far a sweep got; `isRoundOver` where nothing is left until the time asked for.
    ///
    /// Returns the time before which all is closed.
    func finish(
        _ pipeline: PipelineNumber,
        at reached: SweepPosition,
        firstOpen: SweepPosition?,
        isRoundOver: Bool
    ) -> WallTime? {
        sweeps.withLock { sweeps in
            guard var sweep = sweeps[pipeline] else { return nil }
            if let firstOpen { sweep.firstOpen = min(sweep.firstOpen ?? firstOpen, firstOpen) }
            sweep.next = reached
            if isRoundOver {
                sweep.roundStart = sweep.firstOpen ?? reached
                sweep.next = sweep.roundStart
                sweep.firstOpen = nil
            }
            sweep.moveBack(to: sweep.earliestArrival)
            sweeps[pipeline] = sweep
            return sweep.roundStart.expires
        }
    }

    /// Whether a place is so far on that it is worth writing down; counts as written then.
    func shouldStore(_ pipeline: PipelineNumber, _ until: WallTime, step: Int64) -> Bool {
        sweeps.withLock { sweeps in
            guard let stored = sweeps[pipeline]?.stored, until >= stored.adding(milliseconds: step) else {
                return false
            }
            sweeps[pipeline]?.stored = until
            return true
        }
    }

    /// Notes what was committed.
    func arrived(_ pipeline: PipelineNumber, expires: WallTime) {
        sweeps.withLock { sweeps in
            guard var sweep = sweeps[pipeline] else { return }
            sweep.earliestArrival = min(sweep.earliestArrival, expires)
            sweep.moveBack(to: expires)
            sweeps[pipeline] = sweep
        }
    }
}

extension SweepPositions.Sweep {
    fileprivate mutating func moveBack(to expires: WallTime) {
        guard expires < .distantFuture else { return }
        roundStart = min(roundStart, .start(of: expires))
        next = min(next, .start(of: expires))
    }
}
