// SPDX-License-Identifier: Apache-2.0

public import Bus
import Threads

public struct NoIntake: Intake {
    public init() {}

    public func submit(_ message: Message) async -> Reply { .overloaded(retryAfter: 1) }
}

extension ModuleContext {
    public static let test = ModuleContext(pipeline: "megabank", label: "push", log: .silent, intake: NoIntake())
}

public func outgoing(
    text: String = "Hello",
    id: NotificationID = "n-1",
    type: NotificationType = .message,
    target: String? = nil,
    details: PushDetails? = nil,
    priority: Int = 5,
    collapseID: String? = nil
) -> OutgoingNotification {
    let content = PushContent(badge: 3, text: text, type: type, target: target)
    let notification = Notification(
        id: id,
        recipients: [],
        timeout: 60,
        content: content,
        details: details,
        priority: priority,
        collapseID: collapseID
    )
    return OutgoingNotification(
        notification: notification,
        sequence: 1,
        acceptedAt: WallTime(milliseconds: 1_700_000_000_000)
    )
}

public func delivery(
    _ ticket: UInt64 = 1,
    _ outgoing: OutgoingNotification = outgoing(),
    token: String = "a0b1",
    topic: String? = nil,
    platform: Platform = .ios,
    expiration: WallTime? = WallTime(seconds: 1_700_000_060),
    seconds: UInt64 = 20,
    mayRepeat: Bool = false
) -> Delivery {
    let device = Device(
        subscription: 1,
        app: "retail",
        platform: platform,
        token: token,
        registeredAt: .epoch,
        topic: topic
    )
    return Delivery(
        ticket: ticket,
        sequence: 1,
        notification: outgoing,
        address: .device(device),
        messageID: MessageID(high: 0x0123_4567_89ab_8def, low: 0x8000_0000_0000_0000 | ticket),
        expiration: expiration,
        deadline: MonotonicTime.now().adding(nanoseconds: seconds * 1_000_000_000),
        mayRepeat: mayRepeat
    )
}
