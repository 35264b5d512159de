// SPDX-License-Identifier: Apache-2.0

/// What a channel said to one attempt on one device.
public struct DeviceOutcome: Sendable, Equatable {
    /// The subscription; `nil` where it is about none.
    public let subscription: Int64?
    /// The channel; `nil` where none was asked.
    public let channel: String?
    /// What went wrong, for operators, without content, token or number; `nil` where the provider took it.
    public let problem: String?

    /// Describes an outcome.
    public init(subscription: Int64?, channel: String?, problem: String?) {
        self.subscription = subscription
        self.channel = channel
        self.problem = problem
    }
}
