// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@Suite("The gate that every notification passes")
struct NotificationProblemsTests {
    private static let good = Notification(
        id: "n1",
        recipients: [Recipient("anna")],
        timeout: 60,
        content: PushContent(badge: 0, text: "text", type: .universal)
    )

    private static func changed(_ change: (inout Notification) -> Void) -> Notification {
        var notification = good
        change(&notification)
        return notification
    }

    private static let long = String(repeating: "я", count: 128)

    @Test(
        "names the field and what is wrong with it",
        arguments: [
            (changed { $0.id = "" }, "id must not be empty"),
            (changed { $0.id = NotificationID(long) }, "id must have at most 255 bytes"),
            (changed { $0.recipients = [] }, "recipients must not be empty"),
            (changed { $0.recipients.append(Recipient("")) }, "recipients[1] must not be empty"),
            (
                changed { $0.recipients.append(Recipient(RecipientID(long))) },
                "recipients[1] must have at most 255 bytes"
            ),
            (changed { $0.recipients[0].id = "" }, "recipients[0] must not be empty"),
            (changed { $0.timeout = -1 }, "timeout must be 0 to 2147483647"),
            (changed { $0.timeout = 2_147_483_648 }, "timeout must be 0 to 2147483647"),
            (changed { $0.timeout = .max }, "timeout must be 0 to 2147483647"),
            (changed { $0.priority = 300 }, "priority must be 0 to 10"),
            (changed { $0.priority = -1 }, "priority must be 0 to 10"),
            (changed { $0.collapseID = "" }, "collapseId must not be empty"),
            (changed { $0.collapseID = long }, "collapseId must have at most 255 bytes"),
            (changed { $0.content.badge = -1 }, "pushContent.badge must be 0 to 2147483647"),
            (changed { $0.content.badge = .max }, "pushContent.badge must be 0 to 2147483647"),
            (changed { $0.content.text = "" }, "pushContent.text must not be empty"),
            (changed { $0.content.type = .pinCode }, "pushContent.target is missing; PIN_CODE needs one"),
            (
                changed {
                    $0.content.type = .url
                    $0.content.target = ""
                },
                "pushContent.target is missing; URL needs one"
            ),
            (
                changed { $0.content.target = String(repeating: "a", count: 2_049) },
                "pushContent.target must have at most 2048 bytes"
            ),
            (
                changed { $0.details = PushDetails(amount: .init(currency: "", fxAmount: 1)) },
                "pushDetails.amount.currency must not be empty"
            ),
        ]
    )
    func fault(notification: Notification, words: String) {
        #expect(notification.problems.map { "\($0.path) \($0.message)" } == [words])
        #expect(Refusal(fields: notification.problems).message == words)
    }

    @Test("lets all through that a bank may send")
    func right() {
        #expect(Self.good.problems.isEmpty)
        for type in NotificationType.allCases {
            let full = Self.changed {
                $0.content.type = type
                $0.content.target = String(repeating: "a", count: 2_048)
                $0.id = NotificationID(String(repeating: "i", count: 255))
                $0.timeout = 2_147_483_647
                $0.content.badge = 2_147_483_647
                $0.priority = 10
                $0.collapseID = "c"
                // A fold may make a name of the longest longer.
                $0.recipients[0].id = RecipientID(String(repeating: "a", count: 765))
            }
            #expect(full.problems.isEmpty)
        }
    }

    @Test("names a hundred faults of a hundred thousand, in few words")
    func many() {
        let broken = Self.changed { $0.recipients = (0..<100_000).map { _ in Recipient("") } }
        #expect(broken.problems.count == 100)
        #expect(Refusal(fields: broken.problems).message.count < 300)
    }
}
