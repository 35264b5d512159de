// SPDX-License-Identifier: Apache-2.0

import Bus

/// What the dispatcher is to know of one channel of its pipeline.
struct ChannelSetup: Sendable {
    let id: ChannelID
    /// Whom it can reach.
    let reach: Reach
    /// When it is used at all; `nil`: always.
    let condition: Condition?
    /// When it takes the place of pushes; `nil` for a channel that pushes.
    let phones: PhoneRoute?
    /// Deliveries a second that the far end allows; `nil` for no limit.
    let rate: Double?
    /// Whether an operator stopped it.
    var isPaused = false
    /// What its verdicts on tokens are worth.
    var tokens = InvalidTokenGuard()

    init(label: String, reach: Reach, condition: Condition?, rate: Double? = nil, fallbackDelay: Int64 = 30_000) {
        id = ChannelID(label)
        self.reach = reach
        self.condition = condition
        self.rate = rate
        phones = reach == .phones ? PhoneRoute(condition: condition, delay: fallbackDelay) : nil
    }

    /// Whether it could carry a notification to a device, now or later.
    func serves(_ device: Subscription, _ notification: Notification) -> Bool {
        guard case .devices(let platforms) = reach, platforms.contains(device.platform) else { return false }
        guard let condition else { return true }
        return condition.matches(ConditionAttributes(notification: notification, device: device))
    }
}
