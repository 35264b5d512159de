// SPDX-License-Identifier: Apache-2.0

package import Bus
import Threads

/// How a timeline is told: pure, on any thread.
package enum TimelineRule {
    /// The steps of one delivery: the normal ones, what its rows tell beyond them, and its receipts.
    ///
    /// The rows come in the order in which they were written, the receipts in any.
    package static func steps(
        of delivery: DeliveryHistory,
        rows: [TimelineRow],
        receipts: [ToldReceipt],
        accepted: WallTime,
        now: ClockReading
    ) -> [TimelineEvent] {
        var steps = normal(delivery, accepted: accepted, now: now)
        // In the same millisecond what led to a success stands before it; `accepted` is the first of all.
        var led: [TimelineEvent] = []
        for row in rows {
            if row.kind.isCause { add(row, of: delivery, to: &led) } else { add(row, of: delivery, to: &steps) }
        }
        steps.insert(contentsOf: led, at: 1)
        // An end that a receipt took back is a row of its own.
        if delivery.status.isVerdict {
            let at = delivery.moments.closed ?? accepted
            steps.append(TimelineEvent(at: at, recipient: delivery.recipient, event: delivery.status.step))
        }
        for receipt in receipts.sorted(by: { ($0.at, $0.event.order) < ($1.at, $1.event.order) }) {
            add(receipt, of: delivery, to: &steps)
        }
        return steps
    }

    /// The first `limit` steps of many, oldest first; what happened in the same millisecond stays in its order.
    package static func ordered(_ steps: [TimelineEvent], limit: Int) -> [TimelineEvent] {
        let order = steps.indices.sorted { (steps[$0].at, $0) < (steps[$1].at, $1) }
        return order.prefix(limit).map { steps[$0] }
    }

    private static func normal(
        _ delivery: DeliveryHistory,
        accepted: WallTime,
        now: ClockReading
    ) -> [TimelineEvent] {
        let moments = delivery.moments
        let fallback = delivery.fallback.map { "fallback at \(Timestamp.text(now.wall(at: now.monotonic(at: $0))))" }
        func step(_ event: String, at moment: WallTime?) -> TimelineEvent? {
            moment.map { TimelineEvent(at: $0, recipient: delivery.recipient, event: event) }
        }
        var sent = step(DeliveryStatus.sent.step, at: moments.sent)
        sent?.channel = delivery.channel
        sent?.device = delivery.device
        sent?.detail = fallback
        return [
            step("accepted", at: accepted), sent, step(DeliveryStatus.delivered.step, at: moments.delivered),
            step(DeliveryStatus.read.step, at: moments.read),
        ]
        .compactMap(\.self)
    }

    /// Names the channel of the step that a row told, or adds a step of its own.
    private static func add(_ row: TimelineRow, of delivery: DeliveryHistory, to steps: inout [TimelineEvent]) {
        let name = row.kind.name
        if row.channel != nil,
            let index = steps.firstIndex(where: { $0.event == name && $0.at == row.at && $0.channel == nil })
        {
            steps[index].channel = row.channel
            return
        }
        steps.append(
            TimelineEvent(
                at: row.at,
                recipient: delivery.recipient,
                device: row.device,
                channel: row.channel,
                event: name,
                detail: row.text.isEmpty ? nil : row.text
            )
        )
    }

    /// Names the device of the step that a receipt made, or adds the receipt where it made none.
    private static func add(_ receipt: ToldReceipt, of delivery: DeliveryHistory, to steps: inout [TimelineEvent]) {
        let step = (receipt.event.isReading ? DeliveryStatus.read : .delivered).step
        if let index = steps.firstIndex(where: { $0.event == step && $0.at == receipt.at && $0.device == nil }) {
            steps[index].device = receipt.device
            steps[index].detail = receipt.words
            return
        }
        steps.append(
            TimelineEvent(
                at: receipt.at,
                recipient: delivery.recipient,
                device: receipt.device,
                event: receipt.event.rawValue,
                detail: receipt.pressed
            )
        )
    }
}

extension ToldReceipt {
    /// Which button was pressed.
    fileprivate var pressed: String? { button.map { "button \($0)" } }

    /// How a step was come by that may have another name.
    fileprivate var words: String? {
        switch event {
        case .delivered, .opened: pressed
        case .clicked, .dismissed: [event.rawValue, pressed].compactMap(\.self).joined(separator: ", ")
        }
    }
}

extension Receipt.Event {
    /// Receipts of one millisecond are told in this order.
    fileprivate var order: Int {
        switch self {
        case .delivered: 0
        case .opened: 1
        case .clicked: 2
        case .dismissed: 3
        }
    }
}
