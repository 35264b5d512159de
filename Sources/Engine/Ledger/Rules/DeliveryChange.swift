// SPDX-License-Identifier: Apache-2.0

package import Bus

/// What follows from something that happened to a delivery: all of it is one transaction.
package struct DeliveryChange: Sendable, Equatable {
    /// What becomes of the devices that are remembered while others of the same recipient are not settled.
    package enum Devices: Sendable, Equatable {
        /// They stay.
        case kept
        /// These join them.
        case adding([Int64])
        /// There are none any more.
        case dropped
    }

    /// Why a text message becomes a dead letter.
    package struct DeadLettering: Sendable, Equatable {
        /// The channel that was asked.
        package let channel: String
        /// What was wrong, for operators.
        package let reason: String
    }

    /// The delivery afterwards.
    package var row: DeliveryState
    /// Whether it is as was said: the delivery was open, and nothing had overtaken what was to be written.
    package var holds = true
    /// What becomes of its settled devices.
    package var devices = Devices.kept
    /// What its timeline is to tell that no column holds, in this order.
    package var entries: [TimelineEntry] = []
    /// What its bank is to hear, in this order, of the moment ``at``.
    package var news: [BankEvent.Kind] = []
    /// When it happened.
    package let at: WallTime
    /// The dead letter that it becomes; `nil` for none.
    package var deadLettering: DeadLettering?
    /// Whether a PIN code's content is to be erased where no other delivery needs it.
    package var mayErase = false
    /// The status that it has reached by what a phone or a gateway told; `nil` where it had it, or for another reason.
    package var reached: ReachedStatus?

    /// Begins with a delivery as it is.
    init(_ row: DeliveryState, at: WallTime) {
        self.row = row
        self.at = at
    }
}

/// A step of a delivery's timeline that is written by itself.
package struct TimelineEntry: Sendable, Equatable {
    /// The sorts of steps.
    package enum Step: Sendable, Equatable {
        /// What a channel said of one device.
        case outcome(DeviceOutcome)
        /// What became of a text message.
        case note(TimelineNote)
        /// A status: an end that was taken back, or one that a channel other than the first told.
        case status(DeliveryStatus, channel: String?)
    }

    /// The step.
    package let step: Step
    /// When it happened.
    package let at: WallTime

    init(_ step: Step, at: WallTime) {
        self.step = step
        self.at = at
    }
}

extension DeliveryChange {
    /// Tells in the timeline that it had been given up: the status will not say so any more.
    mutating func takeBackVerdict() {
        guard row.status.isVerdict else { return }
        entries.append(TimelineEntry(.status(row.status, channel: nil), at: row.moments.closed ?? at))
    }

    /// Ends the delivery.
    mutating func close() {
        row.close()
        devices = .dropped
    }

    /// Ends it as a text message that will not arrive.
    ///
    /// Only a phone that has it is believed more.
    mutating func failText(of channel: String, because reason: String) {
        close()
        row.sms.state = .failed
        guard !row.status.isOnPhone else {
            mayErase = row.status == .read
            return
        }
        row.status = .sendingFailed
        row.moments.closed = at
        news.append(.failed)
        deadLettering = DeadLettering(channel: channel, reason: reason)
    }
}
