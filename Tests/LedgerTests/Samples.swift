// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine

extension Acceptance {
    static func sample(
        _ id: NotificationID,
        in pipeline: PipelineNumber,
        to recipients: [RecipientID] = ["anna"],
        timeout: Int = 3_600,
        priority: Int = 5,
        type: NotificationType = .universal,
        details: PushDetails? = PushDetails(name: "title"),
        at: WallTime = .noon,
        fallback: DueTime? = nil
    ) -> Acceptance {
        let notification = Notification(
            id: id,
            recipients: recipients.map { Recipient($0) },
            timeout: timeout,
            content: PushContent(badge: 0, text: "Zażółć gęślą jaźń 🦊", type: type, target: "4711"),
            details: details,
            priority: priority
        )
        let deliveries = recipients.map { NewDelivery(recipient: $0, spellings: [$0], isOpen: true) }
        return Acceptance(
            pipeline: pipeline,
            notification: notification,
            at: at,
            due: DueTime(milliseconds: at.milliseconds),
            deliveries: deliveries,
            fallback: fallback
        )
    }
}

extension NewSubscription {
    static func sample(
        _ user: RecipientID,
        in pipeline: PipelineNumber,
        app: String = "retail",
        device: String = "phone",
        token: String = "aa",
        platform: Platform = .ios,
        isOnly: Bool = false,
        subscriber: String? = nil,
        at: WallTime = .noon
    ) -> NewSubscription {
        var registration = Registration(
            app: app,
            user: Recipient(user),
            deviceID: device,
            platform: platform,
            token: token,
            phone: "+375290000000",
            tags: ["vip"]
        )
        registration.endsOtherDevices = isOnly
        return NewSubscription(
            pipeline: pipeline,
            registration: registration,
            subscriber: subscriber ?? "subscriber of \(user)",
            secretHash: [1, 2, 3],
            at: at
        )
    }
}

extension Queue {
    static func bulk(_ pipeline: PipelineNumber) -> Queue { Queue(pipeline: pipeline, lane: .bulk) }
    static func urgent(_ pipeline: PipelineNumber) -> Queue { Queue(pipeline: pipeline, lane: .urgent) }
}

/// Takes the number of the first delivery of what was accepted.
func firstDelivery(_ result: AcceptanceResult) throws -> Int64 {
    guard case .accepted(_, let first, _) = result else { throw NotAccepted() }
    return first
}

struct NotAccepted: Error {}
