// SPDX-License-Identifier: Apache-2.0

import Bus

/// What one turn of a dispatcher changes in its pipeline's counters, added to them at its end: no lock for each push.
struct DeliveryTally {
    /// By lane.
    private(set) var depth = [0, 0]
    /// By channel.
    private(set) var quarantined: [Int]
    /// By channel and outcome.
    private(set) var pushes: [[Int]]
    /// By channel (the last row is "none") and status.
    private(set) var ended: [[Int]]
    private var isEmpty = true

    init(channels: Int) {
        quarantined = [Int](repeating: 0, count: channels)
        pushes = [[Int]](repeating: [Int](repeating: 0, count: PushOutcome.allCases.count), count: channels)
        ended = [[Int]](
            repeating: [Int](repeating: 0, count: DeliveryStatus.allCases.count),
            count: channels + 1
        )
    }

    /// Notes that deliveries of a lane are open, or no more.
    mutating func queued(_ lane: Queue.Lane, _ change: Int) {
        isEmpty = false
        depth[lane.rawValue] += change
    }

    mutating func pushed(_ outcome: Outcome, by gate: ChannelGate) {
        isEmpty = false
        pushes[gate.row][PushOutcome(outcome).rawValue] += 1
    }

    mutating func ended(_ status: DeliveryStatus, by gate: ChannelGate?) {
        isEmpty = false
        ended[gate?.row ?? ended.count - 1][status.column] += 1
    }

    mutating func quarantined(by gate: ChannelGate) {
        isEmpty = false
        quarantined[gate.row] += 1
    }

    /// Adds all of it to the counters, and begins anew.
    mutating func flush(to metrics: DeliveryMetrics) {
        guard !isEmpty else { return }
        metrics.add(self)
        for lane in depth.indices { depth[lane] = 0 }
        for row in ended.indices { for column in ended[row].indices { ended[row][column] = 0 } }
        for row in pushes.indices {
            quarantined[row] = 0
            for column in pushes[row].indices { pushes[row][column] = 0 }
        }
        isEmpty = true
    }
}
