// SPDX-License-Identifier: Apache-2.0

import Bus

/// Who is in the demo, and what happens.
struct DemoScript {
    /// A phone that registers.
    struct Phone {
        let user: String
        let deviceID: String
        let platform: String
        let token: String
        var number: String?

        var registration: String {
            let phone = number.map { #", "phone": "\#($0)""# } ?? ""
            return """
                {"appId": "retail", "userId": "\(user)", "deviceId": "\(deviceID)", "platform": "\(platform)", \
                "token": "\(token)", "appVersion": "1.0", "osVersion": "18.1", "language": "ru"\(phone)}
                """
        }
    }

    /// What reaches phones.
    struct Arrivals: Equatable {
        var toIPhones = 0
        var toAndroid = 0
        var textMessages = 0

        static func - (after: Arrivals, before: Arrivals) -> Arrivals {
            Arrivals(
                toIPhones: after.toIPhones - before.toIPhones,
                toAndroid: after.toAndroid - before.toAndroid,
                textMessages: after.textMessages - before.textMessages
            )
        }
    }

    /// One notification.
    struct Scene {
        let title: String
        let notification: NotificationID
        let recipients: [RecipientID]
        let request: String
        /// What it comes to.
        let arrivals: Arrivals
        /// What the providers are told to do first.
        var rules = #"{"rules": []}"#
        /// The phone on which it is opened.
        var opensOn: Phone?
        /// What the bank is called back with.
        var callback: String?
    }

    let phones: [Phone]
    let scenes: [Scene]

    /// Writes a script whose ids no earlier run has used.
    init(run: Int64) {
        let iPhone = Phone(user: "id_user_1", deviceID: "iphone-1", platform: "IOS", token: Self.hex("a1"))
        let iPad = Phone(user: "id_user_1", deviceID: "ipad-1", platform: "IOS", token: Self.hex("a2"))
        let android = Phone(
            user: "id_user_2",
            deviceID: "pixel-1",
            platform: "ANDROID",
            token: "demo-android-token-1",
            number: "+79160000001"
        )
        phones = [iPhone, iPad, android]
        let request = DemoRequests(run: run)
        let everybody: [RecipientID] = ["id_user_1", "id_user_2"]
        scenes = [
            Scene(
                title: "an offer to two customers: one has an iPhone and an iPad, the other an Android phone",
                notification: request.id("offer"),
                recipients: everybody,
                request: request.offer("offer"),
                arrivals: Arrivals(toIPhones: 2, toAndroid: 1)
            ),
            Scene(
                title: "a code that confirms a payment; the customer opens it, and the bank is told",
                notification: request.id("code"),
                recipients: ["id_user_2"],
                request: request.code("code"),
                arrivals: Arrivals(toAndroid: 1),
                opensOn: android,
                callback: "pushIsOpened"
            ),
            Scene(
                title: "Apple fails twice, and the bus keeps at it",
                notification: request.id("late"),
                recipients: ["id_user_1"],
                request: request.news("late", timeout: 300, to: "id_user_1"),
                arrivals: Arrivals(toIPhones: 2),
                rules: #"{"rules": [{"status": 503, "reason": "ServiceUnavailable", "times": 2}]}"#
            ),
            Scene(
                title: "a code while Google is down: it goes out as a text message",
                notification: request.id("text"),
                recipients: ["id_user_2"],
                request: request.code("text"),
                arrivals: Arrivals(textMessages: 1),
                rules: Self.googleIsDown
            ),
            Scene(
                title:
                    "news that nobody needs two seconds later, while Google is down: the bank hears that they expired",
                notification: request.id("expired"),
                recipients: ["id_user_2"],
                request: request.news("expired", timeout: 2, to: "id_user_2"),
                arrivals: Arrivals(),
                rules: Self.googleIsDown,
                callback: "reportNotificationExpired"
            ),
        ]
    }

    private static let googleIsDown = #"{"rules": [{"service": "fcm", "status": 503, "reason": "UNAVAILABLE"}]}"#

    private static func hex(_ byte: String) -> String { String(repeating: byte, count: 32) }
}
