// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON

/// Notifications as banks send and as they get them.
package enum NotificationShapes {
    private static let identifier = Shape.identifier(longest: NotificationRules.longestIdentifier)
    private static let longestTarget = NotificationRules.longestTarget

    /// What a bank sends.
    package static let sent = ObjectShape(
        "Notification",
        members(content: .variants(by: "type", contents), details: details)
    )

    /// What a bank gets back.
    ///
    /// It may have come by another way than this one, and a code in it is erased after use; so less is said of it.
    package static let stored = ObjectShape(
        "StoredNotification",
        isOpen: true,
        members(content: .object(storedContent), details: storedDetails)
    )

    private static func members(content: Shape, details: ObjectShape) -> [Member] {
        [
            .required("id", identifier, "The bank's id of it; trimmed.", example: "n-2031"),
            .required("recipients", .list(identifier, atLeast: 1), "Users, by the bank's names.", example: ["ivanov"]),
            .required(
                "timeout",
                .whole(NotificationRules.timeouts),
                "For how many seconds it is worth delivering; 0 = one attempt, now.",
                example: 3600
            ),
            .required("pushContent", content, "What the phone shows."),
            .optional("pushDetails", .object(details), "What the app fetches to show more."),
            .optional("perishable", .boolean, "Whether there is only one attempt.", example: false),
            .optional(
                "priority",
                .whole(NotificationRules.priorities),
                "Higher is sooner; from 8 it is urgent, as a PIN_CODE always is. Without it: 5.",
                example: 5
            ),
            .optional(
                "collapseId",
                .text(longest: NotificationRules.longestIdentifier),
                "Those of one id replace each other on the phone. Without it: the notification's own id.",
                example: "balance"
            ),
        ]
    }

    // MARK: pushContent

    /// Two objects, for some types mean nothing without a target.
    private static let contents = [
        ObjectShape(
            "PlainContent",
            content(
                NotificationType.allCases.filter { !$0.requiresTarget },
                .optional("target", .text(longest: longestTarget), "Trimmed; \"nil\" is the same as none.")
            )
        ),
        ObjectShape(
            "TargetedContent",
            content(
                NotificationType.allCases.filter(\.requiresTarget),
                .required("target", .identifier(longest: longestTarget), "What the type speaks of; not \"nil\".")
            )
        ),
    ]

    private static let storedContent = ObjectShape(
        "StoredContent",
        isOpen: true,
        content(NotificationType.allCases, .optional("target", .text(), "What the type speaks of."), mayBeEmpty: true)
    )

    private static func content(_ types: [NotificationType], _ target: Member, mayBeEmpty: Bool = false) -> [Member] {
        [
            .required("badge", .whole(NotificationRules.badges), "On the app's icon; 0 clears it.", example: 1),
            .optional("sound", .text(), "Without it, or with an empty one: default.", example: "default"),
            .required("text", .text(mayBeEmpty: mayBeEmpty), "What the user reads.", example: "Card *0842: 100 RUB"),
            .required("type", .word(types.map(\.rawValue)), "What a tap leads to."),
            target,
        ]
    }

    // MARK: pushDetails

    private static let details = ObjectShape(
        "PushDetails",
        [.required("name", .text(mayBeEmpty: false), "The title, in one line.", example: "Payment")] + moreDetails
    )

    private static let storedDetails = ObjectShape(
        "StoredDetails",
        isOpen: true,
        [.optional("name", .text(), "The title, in one line.")] + moreDetails
    )

    private static let moreDetails: [Member] = [
        .optional("logoUrl", .text(), "The address of a picture.", example: "https://bank.example/logo.png"),
        .optional("pushDescription", .text(), "Text in several lines."),
        .optional("tags", .list(.object(tag)), "Named facts, shown as a list."),
        .optional("amount", .object(amount), "A sum of money."),
    ]

    private static let tag = ObjectShape(
        "Tag",
        [
            .required("key", .text(mayBeEmpty: false), "The fact's name; of two the last counts.", example: "city"),
            .optional("value", .text(), "The fact.", example: "Kazan"),
        ]
    )

    private static let amount = ObjectShape(
        "Amount",
        [
            .required("currency", .text(mayBeEmpty: false), "The currency's ISO 4217 code.", example: "RUB"),
            .required("fxAmount", .integer(.min ... .max), "The sum in hundredths.", example: 10000),
        ]
    )
}

extension Shape {
    /// A whole number.
    fileprivate static func whole(_ range: ClosedRange<Int>) -> Shape {
        .integer(Int64(range.lowerBound)...Int64(range.upperBound))
    }
}
