// SPDX-License-Identifier: Apache-2.0

package import Bus

/// The life of a delivery: what follows from what happens to it.
///
/// Pure; any thread.  A store reads the row, asks the rule, and writes the change; where it has a quicker way for the
/// plain case, a test holds that against the rule.
package enum DeliveryRule {}

/// What the engine says became of it.
extension DeliveryRule {
    /// A settlement; `nil` where there is nothing to write, for the delivery was over before.
    package static func settle(_ row: DeliveryState, _ settlement: Settlement) -> DeliveryChange? {
        guard row.isOpen else { return raiseClosed(row, settlement) }
        var change = DeliveryChange(row, at: settlement.at)
        change.note(settlement)
        if settlement.sms == .failed, let (channel, reason) = settlement.refusal {
            change.failText(of: channel, because: reason)
            return change
        }
        change.row.sms.state = settlement.sms ?? row.sms.state
        if let due = settlement.nextAttempt {
            change.postpone(until: due, settlement)
            change.row.sms.phone = settlement.phone ?? row.sms.phone
        } else {
            change.end(as: settlement)
        }
        return change
    }

    /// That a gateway is about to be asked; without ``DeliveryChange/holds`` where it must not be, for a phone has the
    /// notification.
    ///
    /// `nil` where the delivery was over before.
    package static func intend(_ row: DeliveryState, _ intent: Settlement) -> DeliveryChange? {
        guard row.isOpen else { return nil }
        var change = DeliveryChange(row, at: intent.at)
        guard !row.status.isOnPhone else {
            change.close()
            change.holds = false
            change.mayErase = row.status == .read
            return change
        }
        change.note(intent)
        change.postpone(until: intent.nextAttempt ?? row.due, intent)
        change.row.sms.state = .called
        return change
    }

    /// That its time has passed, where no engine has it in hand.
    package static func expire(_ row: DeliveryState, at now: WallTime) -> DeliveryChange? {
        guard row.isOpen else { return nil }
        // A gateway that was asked may have it: nobody can say that it was not sent.
        let end: DeliveryStatus =
            row.status != .queued ? row.status : row.sms.state == .called ? .sent : .expired
        return settle(row, Settlement(delivery: 0, status: end, at: now, attempts: row.attempts, isSecret: true))
    }

    /// Closed before (by a sweep, say), and yet the provider or the phone had it.
    ///
    /// A text message that will not arrive stays what it is: only a phone is believed more.
    private static func raiseClosed(_ row: DeliveryState, _ settlement: Settlement) -> DeliveryChange? {
        guard settlement.status.isTaken, row.status.rank < settlement.status.rank, row.sms.state != .failed else {
            return nil
        }
        var change = DeliveryChange(row, at: settlement.at)
        change.holds = false
        change.raise(by: settlement)
        return change
    }
}

extension DeliveryChange {
    fileprivate mutating func raise(by settlement: Settlement) {
        row.raise(to: settlement.status, at: settlement.at)
        row.channel = settlement.channel ?? row.channel
        if settlement.status.isTaken { row.device = row.device ?? settlement.device }
    }

    fileprivate mutating func note(_ settlement: Settlement) {
        raise(by: settlement)
        row.attempts = max(row.attempts, settlement.attempts)
        entries += settlement.outcomes.map { TimelineEntry(.outcome($0), at: settlement.at) }
        entries += settlement.notes.map { TimelineEntry(.note($0), at: settlement.at) }
    }

    fileprivate mutating func postpone(until due: DueTime, _ settlement: Settlement) {
        row.due = due
        row.parking = settlement.parking ?? row.parking
        guard !settlement.finishedDevices.isEmpty else { return }
        devices = .adding(settlement.finishedDevices)
        row.attempts = max(row.attempts, 1)
    }

    fileprivate mutating func end(as settlement: Settlement) {
        close()
        row.moments.closed = settlement.status.isTaken ? nil : settlement.at
        if row.status == settlement.status, let kind = settlement.status.news { news.append(kind) }
        // A receipt can be faster than the provider's answer: it found the delivery open.
        mayErase = row.status == .read && (settlement.isSecret || row.sms.at != nil)
    }
}

extension Settlement {
    /// Who refused it for good, and why.
    fileprivate var refusal: (channel: String, reason: String)? {
        for case .refused(let channel, let reason) in notes { return (channel, reason) }
        return nil
    }
}
