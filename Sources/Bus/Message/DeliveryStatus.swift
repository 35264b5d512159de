// SPDX-License-Identifier: Apache-2.0

/// How far a notification got on its way to one recipient.
public enum DeliveryStatus: String, Sendable, CaseIterable {
    /// Accepted, waiting for its turn.
    case queued = "QUEUED"
    /// A provider took it.
    case sent = "SENT"
    /// The phone has it.
    case delivered = "DELIVERED"
    /// The user opened it.
    case read = "READ"
    /// It was rejected or quarantined, or it was perishable and its one attempt failed.
    case sendingFailed = "SENDING_FAILED"
    /// Its time passed before any provider took it.
    case expired = "EXPIRED"
    /// The recipient has no device that could get it.
    case invalidSubscription = "INVALID_SUBSCRIPTION"
}

/// The status of one recipient, under the name the bank knows them by.
public struct RecipientStatus: Sendable, Equatable {
    /// The bank's own spelling.
    public let recipient: RecipientID
    /// How far the notification got.
    public let status: DeliveryStatus

    /// Pairs a recipient with a status.
    public init(_ recipient: RecipientID, _ status: DeliveryStatus) {
        self.recipient = recipient
        self.status = status
    }
}
