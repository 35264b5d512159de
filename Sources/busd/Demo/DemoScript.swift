// SPDX-License-Identifier: Apache-2.0

import Bus

/// Who is in the demo, and what happens.
struct DemoScript {
    /// A phone that registers.
    struct Phone {
        let user: String
        let deviceID: String
        let token: String

        var registration: String {
            """
            {"appId": "retail", "userId": "\(user)", "deviceId": "\(deviceID)", "platform": "IOS", \
            "token": "\(token)", "appVersion": "1.0", "osVersion": "18.1", "language": "ru"}
            """
        }
    }

    /// One notification.
    struct Scene {
        let title: String
        let notification: NotificationID
        let recipients: [RecipientID]
        let request: String
        /// How many pushes it comes to.
        let pushes: Int
        /// What the provider is told to do first.
        var rules: String?
    }

    let phones: [Phone]
    let scenes: [Scene]

    /// Writes a script whose ids no earlier run has used.
    init(run: Int64) {
        let anna = Phone(user: "id_user_1", deviceID: "iphone-1", token: String(repeating: "a1", count: 32))
        let tablet = Phone(user: "id_user_1", deviceID: "ipad-1", token: String(repeating: "a2", count: 32))
        let boris = Phone(user: "id_user_2", deviceID: "iphone-2", token: String(repeating: "b1", count: 32))
        phones = [anna, tablet, boris]
        let news = NotificationID("push_id_\(run)")
        let pin = NotificationID("pin_\(run)")
        let late = NotificationID("late_\(run)")
        scenes = [
            Scene(
                title: "the bank sends an offer to two customers, one of them with two devices",
                notification: news,
                recipients: ["id_user_1", "id_user_2"],
                request: Self.envelope(Self.offer(news)),
                pushes: 3
            ),
            Scene(
                title: "the bank sends a code that confirms a payment",
                notification: pin,
                recipients: ["id_user_2"],
                request: Self.envelope(Self.code(pin)),
                pushes: 1
            ),
            Scene(
                title: "the provider fails twice, and the bus keeps at it",
                notification: late,
                recipients: ["id_user_2"],
                request: Self.envelope(Self.code(late)),
                pushes: 1,
                rules: """
                    {"rules": [{"token": "\(boris.token)", "status": 503, "reason": "ServiceUnavailable", "times": 2}]}
                    """
            ),
        ]
    }

    private static func envelope(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">
        <soapenv:Body>
        \(body)
        </soapenv:Body>
        </soapenv:Envelope>
        """
    }

    /// The request of the original documentation, its parts filled in from there.
    private static func offer(_ id: NotificationID) -> String {
        """
        <sendNotification>
           <notification>
              <details>
                 <entry><key>logo_url</key><value>http://www.idamob.ru/ic.png</value></entry>
                 <entry><key>push_description</key><value>Текстовый блок с некоторым описанием</value></entry>
                 <entry><key>name</key><value>Заголовок сообщения</value></entry>
                 <entry><key>currency</key><value>100000000</value></entry>
                 <entry><key>fxAmount</key><value>RUR</value></entry>
                 <entry><key>Период</key><value>3 года</value></entry>
                 <entry><key>Процент</key><value>3%</value></entry>
              </details>
              <id>\(id)</id>
              <pushContent>
                 <badge>0</badge>
                 <details>
                    <entry><key>target</key><value>nil</value></entry>
                 </details>
                 <sound>default</sound>
                 <text>Текст для отображения в шторке телефона</text>
                 <type>UNIVERSAL</type>
              </pushContent>
              <recipients>id_user_1</recipients>
              <recipients>id_user_2</recipients>
              <timeout>1000</timeout>
           </notification>
        </sendNotification>
        """
    }

    private static func code(_ id: NotificationID) -> String {
        """
        <sendNotification>
           <notification>
              <id>\(id)</id>
              <pushContent>
                 <badge>1</badge>
                 <text>Код подтверждения платежа</text>
                 <type>PIN_CODE</type>
                 <target>4711</target>
              </pushContent>
              <recipients>id_user_2</recipients>
              <timeout>300</timeout>
           </notification>
        </sendNotification>
        """
    }
}
