// SPDX-License-Identifier: Apache-2.0

/// One step of a notification on its way to one recipient.
public struct TimelineEvent: Sendable, Equatable {
    /// When.
    public var at: WallTime
    /// To whom, in the bank's own spelling.
    public var recipient: RecipientID
    /// The device's id within its app, where one device did it.
    public var device: String?
    /// The channel that took it.
    public var channel: String?
    /// What happened: a delivery status in small letters (`accepted` for the first), `opened`, `clicked`, `dismissed`
    /// for what a phone told beyond that, or `problem`.
    public var event: String
    /// What else is known, for operators; no content, token or number.
    public var detail: String?

    /// Describes a step.
    public init(
        at: WallTime,
        recipient: RecipientID,
        device: String? = nil,
        channel: String? = nil,
        event: String,
        detail: String? = nil
    ) {
        self.at = at
        self.recipient = recipient
        self.device = device
        self.channel = channel
        self.event = event
        self.detail = detail
    }
}
