// SPDX-License-Identifier: Apache-2.0

/// One user a message concerns: how the caller spelt them, and who that is to the bus.
public struct Recipient: Sendable, Equatable {
    /// The caller's own spelling, which every answer and callback gives back.
    public let spelling: RecipientID
    /// Whom subscriptions and deliveries belong to; the `map_ids` stage changes it.
    public var id: RecipientID

    /// Names a recipient that is known by the caller's spelling.
    public init(_ spelling: RecipientID) {
        self.spelling = spelling
        id = spelling
    }
}
