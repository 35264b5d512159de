// SPDX-License-Identifier: Apache-2.0
import Bus
struct Condition: Sendable { func matches(_ a: ConditionAttributes) -> Bool { true } }
struct ConditionAttributes: Sendable { init(notification: Notification, device: Subscription) {}; init(_ m: Message) {} }
