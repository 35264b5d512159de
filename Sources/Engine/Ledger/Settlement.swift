// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What to write about a delivery after something happened to it.
public struct Settlement: Sendable, Equatable {
    /// The ledger's number of the delivery.
    public let delivery: Int64
    /// How far it is now; the ledger never lets it go back.
    public var status: DeliveryStatus
    /// The moment it happened.
    public var at: WallTime
    /// When to try again; `nil` when nothing is left to do.
    public var nextAttempt: DueTime?
    /// The attempts made so far.
    public var attempts: Int
    /// The label of the channel that took it.
    public var channel: String?
    /// The subscription of the device that took it.
    public var device: Int64?
    /// Devices that are settled while others of the same recipient are not.
    public var finishedDevices: [Int64]
    /// A subscription to note a success for; asked for at most once a day.
    public var successOf: Int64?
    /// The channel's number to park the delivery for, 0 to take it back; `nil` leaves it in its queue.
    public var parking: Int32?
    /// What the timeline should tell of devices beyond the first success; no content, token or number.
    public var outcomes: [DeviceOutcome]
    /// How far the text message in the place of pushes is; `nil` leaves it.
    ///
    /// With ``SMSState/failed`` the delivery ends SENDING_FAILED even where a push was sent, unless a phone has it.
    public var sms: SMSState?
    /// The number to remember until the delivery ends; `nil` leaves what is remembered.
    public var phone: String?
    /// What else the timeline should tell.
    public var notes: [TimelineNote]
    /// Whether it is about a PIN code: where this ends the last delivery of one that was read, its content is erased.
    public var isSecret: Bool

    /// Describes a settlement.
    public init(
        delivery: Int64,
        status: DeliveryStatus,
        at: WallTime,
        nextAttempt: DueTime? = nil,
        attempts: Int,
        channel: String? = nil,
        device: Int64? = nil,
        finishedDevices: [Int64] = [],
        successOf: Int64? = nil,
        parking: Int32? = nil,
        outcomes: [DeviceOutcome] = [],
        sms: SMSState? = nil,
        phone: String? = nil,
        notes: [TimelineNote] = [],
        isSecret: Bool = false
    ) {
        self.delivery = delivery
        self.status = status
        self.at = at
        self.nextAttempt = nextAttempt
        self.attempts = attempts
        self.channel = channel
        self.device = device
        self.finishedDevices = finishedDevices
        self.successOf = successOf
        self.parking = parking
        self.outcomes = outcomes
        self.sms = sms
        self.phone = phone
        self.notes = notes
        self.isSecret = isSecret
    }
}
