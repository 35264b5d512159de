// SPDX-License-Identifier: Apache-2.0

package import Bus

/// What phones, gateways and operators say of it.
extension DeliveryRule {
    /// A receipt that the device had not told before.
    ///
    /// A phone that has the notification wins over what the bus had given up, and ends a delivery that a text message
    /// waits to take over.
    package static func receive(_ row: DeliveryState, _ event: Receipt.Event, at now: WallTime) -> DeliveryChange {
        var change = DeliveryChange(row, at: now)
        change.takeBackVerdict()
        if row.awaitsSMS { change.close() }
        let wasDelivered = row.moments.delivered != nil || row.moments.read != nil
        // What was opened had arrived, whether or not the phone said so.
        if !wasDelivered { change.news.append(.delivered) }
        if event.isReading {
            change.row.status = row.status.raised(to: .read)
            change.row.moments.read = row.moments.read ?? now
            guard row.moments.read == nil else { return change }
            change.news.append(.opened)
            change.mayErase = true
            change.reached = ReachedStatus(.read, channel: row.channel)
        } else {
            change.row.status = row.status.raised(to: .delivered)
            change.row.moments.delivered = row.moments.delivered ?? now
            if !wasDelivered { change.reached = ReachedStatus(.delivered, channel: row.channel) }
        }
        return change
    }

    /// What a receipt did, as the one who sent it hears: whether it ended a delivery that a text message waited for.
    package static func result(of row: DeliveryState) -> ReceiptResult { row.awaitsSMS ? .ended : .kept }

    /// Whether a gateway had got the text message: only then its report is about it.
    package static func knowsReports(_ row: DeliveryState) -> Bool { row.sms.state.map { $0 != .due } ?? false }

    /// What a gateway told of its text message; `nil` where that is less than is known.
    package static func receive(
        _ row: DeliveryState,
        _ fate: GatewayReport.Fate,
        of channel: String,
        at now: WallTime
    ) -> DeliveryChange? {
        guard knowsReports(row), !row.status.isOnPhone else { return nil }
        var change = DeliveryChange(row, at: now)
        switch fate {
        case .delivered:
            change.takeBackVerdict()
            change.row.status = .delivered
            change.row.moments.delivered = now
            change.row.sms.state = .taken
            change.entries.append(TimelineEntry(.status(.delivered, channel: channel), at: now))
            change.news = [.delivered]
            change.reached = ReachedStatus(.delivered, channel: channel)
        case .undeliverable(let reason):
            guard row.sms.state != .failed, !row.status.isVerdict else { return nil }
            change.entries.append(TimelineEntry(.note(.refused(channel: channel, reason: reason)), at: now))
            change.failText(of: channel, because: reason)
            change.reached = ReachedStatus(.sendingFailed, channel: channel)
        }
        return change
    }

    /// An operator's wish to try a text message again that is a dead letter; `nil` where the code does not live any
    /// more, or the delivery went on.
    package static func replay(
        _ row: DeliveryState,
        expires: WallTime,
        now: ClockReading,
        at moment: WallTime
    ) -> DeliveryChange? {
        guard !row.isOpen, row.status == .sendingFailed, expires > moment else { return nil }
        var change = DeliveryChange(row, at: moment)
        change.row.isOpen = true
        change.row.due = now.due
        change.row.moments.closed = nil
        change.row.sms.state = .due
        change.row.status = row.moments.sent == nil ? .queued : .sent
        return change
    }
}

extension Receipt.Event {
    /// Whether it means that the user saw the notification.
    package var isReading: Bool {
        switch self {
        case .opened, .clicked: true
        case .delivered, .dismissed: false
        }
    }
}
