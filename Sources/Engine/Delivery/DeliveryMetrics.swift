// SPDX-License-Identifier: Apache-2.0

public import Bus
import Synchronization

/// A pipeline's counters; kept by its dispatcher and intake, read by whoever serves metrics.
public final class DeliveryMetrics: Sendable {
    private struct Counters {
        var accepted = 0
        var depth = [0, 0]
        /// By channel.
        var quarantined: [Int]
        /// By channel and outcome.
        var pushes: [[Int]]
        /// By channel (the last row is "none") and status.
        var ended: [[Int]]
    }

    /// The pipeline's name.
    public let pipeline: String
    /// The channels' names, in order.
    public let channels: [String]
    private let counters: Mutex<Counters>

    /// Creates counters that stand at zero.
    public init(pipeline: String, channels: [String]) {
        self.pipeline = pipeline
        self.channels = channels
        let row = [Int](repeating: 0, count: DeliveryStatus.allCases.count)
        counters = Mutex(
            Counters(
                quarantined: [Int](repeating: 0, count: channels.count),
                pushes: [[Int]](
                    repeating: [Int](repeating: 0, count: PushOutcome.allCases.count),
                    count: channels.count
                ),
                ended: [[Int]](repeating: row, count: channels.count + 1)
            )
        )
    }

    /// Notifications accepted since the start.
    public var accepted: Int { counters.withLock { $0.accepted } }

    /// Open deliveries of a lane, in memory and in the ledger.
    public func depth(_ lane: Queue.Lane) -> Int { counters.withLock { $0.depth[lane.rawValue] } }

    /// Deliveries that reached a status since the start, those that a phone or a gateway told of later included;
    /// `channel` is `nil` for those that no channel took or refused.
    public func ended() -> [(channel: String?, status: DeliveryStatus, count: Int)] {
        let rows = counters.withLock { $0.ended }
        return rows.enumerated().flatMap { index, row in
            zip(DeliveryStatus.allCases, row).map { status, count in
                (channel: index < channels.count ? channels[index] : nil, status: status, count: count)
            }
        }
    }

    /// What channels said to attempts since the start, each on one device or phone.
    public func pushes() -> [(channel: String, outcome: PushOutcome, count: Int)] {
        let rows = counters.withLock { $0.pushes }
        return zip(channels, rows).flatMap { channel, row in
            PushOutcome.allCases.map { (channel: channel, outcome: $0, count: row[$0.rawValue]) }
        }
    }

    /// Verdicts put in quarantine since the start, by channel.
    public var quarantined: [Int] { counters.withLock { $0.quarantined } }

    func acceptedOne() { counters.withLock { $0.accepted += 1 } }

    func queued(_ lane: Queue.Lane, _ change: Int) { counters.withLock { $0.depth[lane.rawValue] += change } }

    func ended(_ status: DeliveryStatus, channel: Int?, count: Int = 1) {
        counters.withLock { $0.ended[channel ?? channels.count][status.column] += count }
    }

    /// Counts what a phone or a gateway told later.
    func reached(_ late: ReachedStatus?) {
        guard let late else { return }
        ended(late.status, channel: late.channel.flatMap { channels.firstIndex(of: $0) })
    }

    /// Adds what a turn of the dispatcher changed.
    func add(_ tally: borrowing DeliveryTally) {
        counters.withLock { counters in
            for lane in counters.depth.indices { counters.depth[lane] += tally.depth[lane] }
            for channel in channels.indices {
                counters.quarantined[channel] += tally.quarantined[channel]
                for outcome in counters.pushes[channel].indices {
                    counters.pushes[channel][outcome] += tally.pushes[channel][outcome]
                }
            }
            for row in counters.ended.indices {
                for column in counters.ended[row].indices { counters.ended[row][column] += tally.ended[row][column] }
            }
        }
    }
}

extension DeliveryStatus {
    /// Its place among all.
    var column: Int {
        switch self {
        case .queued: 0
        case .sent: 1
        case .delivered: 2
        case .read: 3
        case .sendingFailed: 4
        case .expired: 5
        case .invalidSubscription: 6
        }
    }
}
