// SPDX-License-Identifier: Apache-2.0

import Bus

/// What is known of one attempt on all of a recipient's devices.
struct Round {
    /// When the earliest device wants to be tried again.
    var retryAt: MonotonicTime?
    /// A channel that some device has to wait for.
    var blockedBy: ChannelGate?
    /// The channel that took it first, and the device.
    var acceptedBy: ChannelGate?
    var acceptedOn: Int64?
    /// The channel that its end is counted at where none took it: its far end refused it, or called a device dead.
    var endedBy: ChannelGate?
    /// Whether a push was written and not answered.
    var isAmbiguous = false
    /// Whether a provider refused it for good.
    var isRejected = false
    /// Whether a token was called dead.
    var hasDied = false
    /// The subscription to note a success for.
    var successOf: Int64?
    /// Devices settled in this round.
    var settled: [Int64] = []
    /// What went wrong last.
    var problem: String?
    /// What the timeline tells of each device beyond the first success.
    var outcomes: [DeviceOutcome] = []
    /// How far its text message is now.
    var sms: SMSState?
    /// What the timeline should tell of its text message.
    var notes: [TimelineNote] = []
}
