// SPDX-License-Identifier: Apache-2.0

import Bus

/// One attempt under way.
struct DeliveryAttempt {
    let delivery: InFlightDelivery
    let gate: ChannelGate
    /// Where it goes; `nil`: to the recipient's phone, as a text message.
    let device: Device?
    /// When it began.
    let began: ClockReading
    /// When its delivery's round began, where it is bulk.
    let startedAt: MonotonicTime?
    /// Whether a success is worth a note at the subscription.
    let notesSuccess: Bool
    /// Whether the channel has it; not while the intent of a text message is written.
    var isHandedOver: Bool
}
