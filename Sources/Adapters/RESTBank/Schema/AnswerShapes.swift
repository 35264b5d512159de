// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import NotificationJSON

/// The objects in answers.
enum AnswerShapes {
    private static let ok = Member.required("status", .word(["OK"]), "")

    static let done = answer("Done", [])
    static let deliveryStatuses = answer(
        "DeliveryStatuses",
        [
            .required(
                "deliveryStatus",
                .map(.word(DeliveryStatus.allCases.map(\.rawValue))),
                "How far it got with each recipient, under the bank's own spelling.",
                example: ["ivanov": "QUEUED"]
            )
        ]
    )
    static let notification = answer(
        "FoundNotification",
        [.required("notification", .object(NotificationShapes.stored), "")]
    )
    static let timeline = answer("Timeline", [.required("events", .list(.object(event)), "")])
    static let existence = answer("Existence", [.required("exists", .boolean, "Whether the user has a device.")])

    private static let event = ObjectShape(
        "TimelineEvent",
        isOpen: true,
        [
            .required("at", .moment, "When, in UTC.", example: "2026-11-30T07:05:09.123Z"),
            .required("recipient", .text(), "To whom, in the bank's own spelling."),
            .optional("device", .text(), "The device's id, where one device did it."),
            .optional("channel", .text(), "The channel that took it.", example: "apns"),
            .required("event", .text(), "What happened.", example: "sent"),
            .optional("detail", .text(), "What else is known."),
        ]
    )

    /// RFC 9457, with a name for programs and the fields at fault.
    static let problem = ObjectShape(
        "Problem",
        isOpen: true,
        [
            .required("type", .text(), "", example: "about:blank"),
            .required("title", .text(), "The HTTP status in words."),
            .required("status", .integer(400...599), "The HTTP status."),
            .required("code", .text(), "A name for programs to look at.", example: "ENTITY_NOT_FOUND"),
            .required("detail", .text(), "What is wrong with this call."),
            .optional("errors", .list(.object(fault)), "The fields at fault."),
        ]
    )

    private static let fault = ObjectShape(
        "FieldError",
        isOpen: true,
        [
            .required("path", .text(), "The field.", example: "pushContent.text"),
            .required("detail", .text(), "What is wrong with it.", example: "is missing"),
        ]
    )

    private static func answer(_ name: String, _ members: [Member]) -> ObjectShape {
        ObjectShape(name, isOpen: true, [ok] + members)
    }
}
