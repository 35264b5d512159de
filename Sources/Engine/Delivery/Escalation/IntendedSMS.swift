// SPDX-License-Identifier: Apache-2.0

/// A text message that is handed to its gateway when its intent is written.
struct IntendedSMS {
    let delivery: InFlightDelivery
    let gate: ChannelGate
    let ticket: Ticket
    /// The number it goes to.
    let phone: String
    /// Why it is sent, where the timeline is told now.
    let reason: String?
}
