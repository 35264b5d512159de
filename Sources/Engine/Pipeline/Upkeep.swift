// SPDX-License-Identifier: Apache-2.0

import Bus
import Threads

/// Does for a pipeline what has to be done as time passes: a thread that asks the ledger for one small piece after the
/// other, so that nobody else waits for more than one of them.
final class Upkeep: Sendable {
    private let pipeline: PipelineNumber
    private let ledger: any UpkeepLedger & QuarantineLedger & LeaseLedger
    private let log: Log
    private let expireAfter: Int64?
    private let ends: SubscriptionEnds
    private let stop = Mailbox<Void>(capacity: 1)
    private let stopped = Gate()

    /// In milliseconds, as all times here.
    private static let interval: Int64 = 1_000
    private static let piece = 200
    private static let day: Int64 = 86_400_000

    init(
        pipeline: PipelineNumber,
        ledger: any UpkeepLedger & QuarantineLedger & LeaseLedger,
        expireAfter: Int64?,
        ends: SubscriptionEnds,
        log: Log
    ) {
        self.pipeline = pipeline
        self.ledger = ledger
        self.expireAfter = expireAfter
        self.ends = ends
        self.log = log
    }

    /// How fine it is kept when a subscription was last seen: a day is enough for those that live for weeks or for ever.
    static func lastSeenInterval(expireAfter: Int64?) -> Int64 {
        max(1, min(day, expireAfter.map { $0 / 8 } ?? day))
    }

    /// When a subscription was last seen that ends at `now`: that may be later than what is kept of it.
    static func silentSince(_ now: WallTime, expireAfter: Int64) -> WallTime {
        now.adding(milliseconds: -expireAfter).adding(milliseconds: -lastSeenInterval(expireAfter: expireAfter))
    }

    func start() { _ = NamedThread("busd-upkeep") { self.run() } }

    /// Returns when nothing is under way any more.
    func drain() async {
        stop.close()
        await stopped.wait()
    }

    private func run() {
        let interval = Self.lastSeenInterval(expireAfter: expireAfter)
        _ = wait { ledger.keepLastSeen(pipeline, every: interval, completion: $0) }
        var proven = ProvenWallTime(.now(), at: .now())
        repeat {
            // First of all, for it is each node's own: whatever another one left is late already.
            repeatedly { ledger.reclaim(pipeline, limit: Self.piece, completion: $0) }
            guard wait({ ledger.take(.upkeep(pipeline), completion: $0) }) == true else { continue }
            let now = WallTime.now()
            let past = time(now, &proven)
            repeatedly { ledger.conclude(pipeline, now: now, limit: Self.piece, completion: $0) }
            // What a verdict removed comes back within a day, or never.
            let aDayAgo = past.adding(milliseconds: -Self.day)
            repeatedly { ledger.forgetRemoved(before: aDayAgo, limit: Self.piece, completion: $0) }
            guard let expireAfter else { continue }
            let before = Self.silentSince(past, expireAfter: expireAfter)
            let count = repeatedly { ledger.endSilent(pipeline, before: before, limit: Self.piece, completion: $0) }
            ends.note(.silent, count)
        } while stop.take(until: .now().adding(milliseconds: Self.interval)) != nil
        stopped.open()
    }

    /// The time to go by for what cannot be undone.
    private func time(_ now: WallTime, _ proven: inout ProvenWallTime) -> WallTime {
        let wasInDoubt = proven.isInDoubt
        let time = proven.time(now, at: .now())
        if proven.isInDoubt, !wasInDoubt {
            let step = "\(now.milliseconds(since: time) / 1_000)s"
            log.warning("the clock was set forwards: no subscription ends by it for a day", ["by": step])
        }
        return time
    }

    /// Asks for pieces until one is not full; returns the sum.
    @discardableResult
    private func repeatedly(_ piece: (@escaping Completion<Int>) -> Void) -> Int {
        var sum = 0
        while let count = wait(piece) {
            sum += count
            guard count == Self.piece else { break }
        }
        return sum
    }

    /// Waits for the ledger; `nil` where it failed, which the next round may mend.
    private func wait<Value: Sendable>(_ call: (@escaping Completion<Value>) -> Void) -> Value? {
        switch waited(call) {
        case .success(let value): return value
        // Told once by whoever watches the store, not once a second.
        case .failure(.full): return nil
        case .failure(let error):
            log.error("cannot look after what has passed", ["reason": "\(error)"])
            return nil
        }
    }
}
