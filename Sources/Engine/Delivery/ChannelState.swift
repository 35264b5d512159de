// SPDX-License-Identifier: Apache-2.0

import Bus

/// What the dispatcher knows of one channel of its pipeline.
struct ChannelState {
    /// The instance's name.
    let label: String
    /// Whom it can reach.
    let reach: Reach
    /// When it is used at all; `nil`: always.
    let condition: Condition?
    /// Whether an operator stopped it.
    var isPaused = false
    /// Whether it works.
    var health = ChannelHealth()
    /// From when on a failure of the far end is told to operators again, in milliseconds since 1970.
    var tellsFailuresFrom: Int64 = 0
    /// Deliveries that wait for it.
    var blocked = Deque<Int64>()
    /// The delivery that was let go to probe it.
    var candidate: Int64?
    /// When the far end last took something, in milliseconds since 1970.
    var lastAccepted: Int64?

    init(label: String, reach: Reach, condition: Condition?) {
        self.label = label
        self.reach = reach
        self.condition = condition
    }

    /// Whether it could carry a notification to a device, now or later.
    func serves(_ device: Subscription, _ notification: Notification) -> Bool {
        guard case .devices(let platforms) = reach, platforms.contains(device.platform) else { return false }
        guard let condition else { return true }
        return condition.matches(ConditionAttributes(notification: notification, device: device))
    }
}
