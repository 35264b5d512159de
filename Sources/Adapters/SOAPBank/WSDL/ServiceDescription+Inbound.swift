// SPDX-License-Identifier: Apache-2.0

import Bus

extension ServiceDescription {
    /// The service that banks call.
    ///
    /// What the original documentation does not know comes last and is optional.
    static let inbound = ServiceDescription(
        name: "SBIInboundWebService",
        namespace: "http://inbound.sbi.pigeon.idamobile.com/",
        hasAddressing: true,
        operations: [
            "sendNotification", "getNotificationDetails", "getDeliveryStatus", "deleteSubscription",
            "checkSubscriptionExists",
        ].map { Operation(name: $0) },
        types: requests + content + answers + words
    )

    private static let requests: [Definition] = [
        .fields("sendNotification", [.one("notification", "tns:notification")]),
        .fields("getNotificationDetails", [.one("id")]),
        .fields("getDeliveryStatus", [.one("id")]),
        .fields("deleteSubscription", [.one("user")]),
        .fields("checkSubscriptionExists", [.some("user")]),
    ]

    private static let content: [Definition] = [
        .fields(
            "notification",
            [
                .map("details"), .one("id"), .maybe("perishable", "xs:boolean"), .maybe("priority", "xs:int"),
                .one("pushContent", "tns:pushContent"), .some("recipients"), .one("timeout", "xs:int"),
                .maybe("collapseId"), .maybe("pushDetails", "tns:pushDetails"),
            ]
        ),
        .fields(
            "pushContent",
            [
                .one("badge", "xs:int"), .map("details"), .maybe("sound"), .one("text"), .one("type", "tns:pushType"),
                .maybe("target"),
            ]
        ),
        .fields(
            "pushDetails",
            [
                .maybe("amount", "tns:amountDTO"), .maybe("logoUrl"), .one("name"), .maybe("pushDescription"),
                .any("tags", "tns:markerDTO"),
            ]
        ),
        .fields("amountDTO", [.one("currency"), .one("fxAmount", "xs:long")]),
        .fields("markerDTO", [.one("key"), .maybe("value")]),
    ]

    private static let answers: [Definition] =
        answer(
            "sendNotification",
            "sendNotificationResult",
            [.map("deliveryStatus", "tns:deliveryStatus")]
        ) + answer("getNotificationDetails", "notificationDetailsResult", [.maybe("notification", "tns:notification")])
        + answer(
            "getDeliveryStatus",
            "deliveryStatusResult",
            [.map("deliveryStatus", "tns:deliveryStatus", isOptional: false)]
        ) + answer("deleteSubscription", "result", [])
        + answer("checkSubscriptionExists", "subscriptionExistsResult", [.one("exists", "xs:boolean")])

    private static func answer(_ operation: String, _ type: String, _ fields: [Field]) -> [Definition] {
        [
            .fields("\(operation)Response", [.maybe("return", "tns:\(type)")]),
            .fields(type, [.one("status", "tns:status"), .maybe("errorMessage")] + fields),
        ]
    }

    private static let words: [Definition] = [
        .words("status", ["OK", "ENTITY_NOT_FOUND", "DUPLICATED_ENTITY", "INTERNAL_SERVER_ERROR"]),
        .words(
            "deliveryStatus",
            ["QUEUED", "SENT", "SENDING_FAILED", "DELIVERED", "READ", "INVALID_SUBSCRIPTION", "EXPIRED"]
        ),
        .words("pushType", ["UNIVERSAL", "PRODUCT", "FORM", "SHOW_MAP", "URL", "PIN_CODE", "MESSAGE"]),
    ]
}
