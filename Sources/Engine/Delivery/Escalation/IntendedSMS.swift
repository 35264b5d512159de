// SPDX-License-Identifier: Apache-2.0

/// A text message that is handed to its gateway when its intent is written.
struct IntendedSMS {
    let delivery: InFlightDelivery
    let gate: ChannelGate
    let attempt: PlannedAttempt
    /// Why it is sent, where the timeline is told now.
    let reason: String?
}
