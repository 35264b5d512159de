// SPDX-License-Identifier: Apache-2.0

package import Bus

/// A delivery as the rules see it: what its row holds that anything which happens can change.
package struct DeliveryState: Sendable, Equatable {
    /// When the normal steps happened.
    package struct Moments: Sendable, Equatable {
        /// When a provider took it.
        package var sent: WallTime?
        /// When a phone told that it has it.
        package var delivered: WallTime?
        /// When its user opened it.
        package var read: WallTime?
        /// When the bus gave it up.
        package var closed: WallTime?

        /// Names moments; without any, nothing has happened.
        package init(
            sent: WallTime? = nil,
            delivered: WallTime? = nil,
            read: WallTime? = nil,
            closed: WallTime? = nil
        ) {
            self.sent = sent
            self.delivered = delivered
            self.read = read
            self.closed = closed
        }
    }

    /// The text message that may take the place of pushes.
    package struct SMS: Sendable, Equatable {
        /// When it does; `nil` where none ever does.
        package var at: DueTime?
        /// How far it is; `nil` while pushes have the time.
        package var state: SMSState?
        /// The number that was known when it was decided, or when a device's address died; `nil` once it ended.
        package var phone: String?

        /// Describes a text message; without anything, there is none.
        package init(at: DueTime? = nil, state: SMSState? = nil, phone: String? = nil) {
            self.at = at
            self.state = state
            self.phone = phone
        }
    }

    /// Whether there is something left to do.
    package var isOpen: Bool
    /// How far it is.
    package var status: DeliveryStatus
    /// The attempts made.
    package var attempts: Int
    /// When the next is due, while it is open.
    package var due: DueTime
    /// The number of the channel that it is parked for; 0 = it is not.
    package var parking: Int32
    /// When the normal steps happened.
    package var moments: Moments
    /// The channel that took it last.
    package var channel: String?
    /// The subscription that took it first.
    package var device: Int64?
    /// The text message in the place of pushes.
    package var sms: SMS

    /// Describes a delivery; without anything but a time, one that was just accepted.
    package init(
        isOpen: Bool = true,
        status: DeliveryStatus = .queued,
        attempts: Int = 0,
        due: DueTime,
        parking: Int32 = 0,
        moments: Moments = Moments(),
        channel: String? = nil,
        device: Int64? = nil,
        sms: SMS = SMS()
    ) {
        self.isOpen = isOpen
        self.status = status
        self.attempts = attempts
        self.due = due
        self.parking = parking
        self.moments = moments
        self.channel = channel
        self.device = device
        self.sms = sms
    }

    /// One of which nothing is ever sent: its recipient has no device.
    package static func withoutDevice(due: DueTime) -> DeliveryState {
        DeliveryState(isOpen: false, status: .invalidSubscription, due: due)
    }
}

extension DeliveryState {
    /// Whether it waits for a text message that no gateway was asked for.
    package var awaitsSMS: Bool { isOpen && sms.at != nil && (sms.state ?? .due) == .due }

    /// Whether its notification's content is still of use to it: until it is over and was read.
    package var needsContent: Bool { isOpen || status != .read }

    /// Whether a bank that asks for it is told that no phone confirmed it in time.
    package var isUnconfirmed: Bool { status == .sent }

    /// Whether devices can be kept for it: one is settled by an attempt.
    package var mayKeepDevices: Bool { attempts > 0 }

    /// Ends it: there is nothing left to do, and nothing left to know of a phone.
    mutating func close() {
        isOpen = false
        sms.phone = nil
    }

    /// Notes that it is so far.
    mutating func raise(to next: DeliveryStatus, at moment: WallTime) {
        status = status.raised(to: next)
        if next.isTaken { moments.sent = moments.sent ?? moment }
        if next.isOnPhone { moments.delivered = moments.delivered ?? moment }
        if next == .read { moments.read = moments.read ?? moment }
    }
}
