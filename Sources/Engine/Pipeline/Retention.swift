// SPDX-License-Identifier: Apache-2.0

public import Bus
import Threads

/// Forgets notifications that were kept long enough: a thread that asks the ledger for one small piece after the
/// other and rests as long as each one took, so that half of the writer's time at least is everybody else's.
public final class Retention: Sendable {
    private let ledger: any UpkeepLedger & LeaseLedger
    private let kept: Int64
    private let log: Log
    private let stop = Mailbox<Void>(capacity: 1)
    private let stopped = Gate()

    private static let piece = 200
    private static let longestWait: Int64 = 3_600_000

    /// Sets up the deletion of what was accepted longer ago than `kept` and is finished.
    public init(ledger: any UpkeepLedger & LeaseLedger, kept: Duration, log: Log) {
        self.ledger = ledger
        self.kept = kept.milliseconds
        self.log = log
    }

    /// Begins, with a first look at once.
    public func start() { _ = NamedThread("busd-retention") { self.run() } }

    /// Returns when nothing is under way any more.
    public func drain() async {
        stop.close()
        await stopped.wait()
    }

    private func run() {
        let pause = UInt64(min(max(kept / 8, 100), Self.longestWait)) * 1_000_000
        var proven = ProvenWallTime(.now(), at: .now())
        repeat { forget(proven.time(.now(), at: .now())) } while rest(pause)
        stopped.open()
    }

    private func forget(_ now: WallTime) {
        guard case .success(true) = waited({ ledger.take(.retention, completion: $0) }) else { return }
        let before = now.adding(milliseconds: -kept)
        var place = RetentionPlace()
        while true {
            let began = MonotonicTime.now()
            switch waited({ ledger.forget(before: before, from: place, limit: Self.piece, completion: $0) }) {
            case .success(nil), .failure(.closed): return
            case .success(let next?): place = next
            case .failure(let error):
                log.error("cannot delete old notifications", ["reason": "\(error)"])
                return
            }
            guard rest(MonotonicTime.now().nanoseconds(since: began)) else { return }
        }
    }

    /// Waits for so many nanoseconds; returns whether to go on.
    private func rest(_ time: UInt64) -> Bool { stop.take(until: .now().adding(nanoseconds: time)) != nil }
}
