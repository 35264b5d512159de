// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import NotificationJSON
import WebAPI

/// A call of the API: what the router goes by and what the OpenAPI document says of it.
struct Operation: Sendable {
    /// A part of a path.
    enum Part: Sendable, Equatable {
        case word(String)
        /// An id in the path, by the name it has in the document.
        case id(String)
    }

    /// An answer that is not a problem.
    struct Success: Sendable {
        let status: Int
        let summary: String
        let shape: ObjectShape
    }

    let name: String
    let method: String
    let path: [Part]
    let summary: String
    var body: ObjectShape?
    let success: Success
    /// The problems it has beside those that every call has.
    let problems: [(status: Int, summary: String)]
    let run: @Sendable (BankCalls, Call) async throws(CallFailure) -> HTTPResponse

    /// One call on its way.
    struct Call: Sendable {
        let request: HTTPRequest
        /// The id in the path, trimmed; empty where the path has none.
        let id: String
    }

    /// The id that these parts of a path hold for this operation; empty where it needs none, `nil` where the path is
    /// another one.
    func match(_ parts: [String]) -> String? {
        guard parts.count == path.count else { return nil }
        var id = ""
        for (part, wanted) in zip(parts, path) {
            switch wanted {
            case .word(let word): if part != word { return nil }
            case .id: id = part
            }
        }
        return id
    }

    /// The path as OpenAPI writes it.
    var template: String {
        path.map { part in
            switch part {
            case .word(let word): "/\(word)"
            case .id(let name): "/{\(name)}"
            }
        }.joined()
    }

    /// The name of the id in the path.
    var parameter: String? {
        for case .id(let name) in path { return name }
        return nil
    }
}

extension Operation {
    private static let unknown = (status: 404, summary: "There is no such notification.")

    static let all: [Operation] = [
        Operation(
            name: "sendNotification",
            method: "POST",
            path: [.word("notifications")],
            summary: "Send a notification to users.",
            body: NotificationShapes.sent,
            success: Success(status: 202, summary: "It is on disk.", shape: AnswerShapes.deliveryStatuses),
            problems: [
                (409, "The id was used before."), (413, "The body is too large."),
                (415, "The body is not JSON."), (422, "A field is not as it must be."),
            ]
        ) { calls, call async throws(CallFailure) in try await calls.send(call.request) },
        Operation(
            name: "getNotificationDetails",
            method: "GET",
            path: [.word("notifications"), .id("id")],
            summary: "The notification itself.",
            success: Success(status: 200, summary: "Here it is.", shape: AnswerShapes.notification),
            problems: [unknown]
        ) { calls, call async throws(CallFailure) in
            try await calls.ask(.query(.notification(NotificationID(call.id))), call.request)
        },
        Operation(
            name: "getDeliveryStatus",
            method: "GET",
            path: [.word("notifications"), .id("id"), .word("status")],
            summary: "How far a notification got with each recipient.",
            success: Success(status: 200, summary: "Its statuses.", shape: AnswerShapes.deliveryStatuses),
            problems: [unknown]
        ) { calls, call async throws(CallFailure) in
            try await calls.ask(.query(.deliveryStatus(NotificationID(call.id))), call.request)
        },
        Operation(
            name: "getTimeline",
            method: "GET",
            path: [.word("notifications"), .id("id"), .word("timeline")],
            summary: "What happened to a notification, step by step.",
            success: Success(status: 200, summary: "Its steps, in order.", shape: AnswerShapes.timeline),
            problems: [unknown]
        ) { calls, call async throws(CallFailure) in
            try await calls.ask(.query(.timeline(NotificationID(call.id))), call.request)
        },
        Operation(
            name: "checkSubscriptionExists",
            method: "GET",
            path: [.word("subscriptions"), .id("user")],
            summary: "Whether a user has a device.",
            success: Success(status: 200, summary: "The answer.", shape: AnswerShapes.existence),
            problems: [(422, "This cannot be a user.")]
        ) { calls, call async throws(CallFailure) in
            try await calls.ask(.query(.subscriptions([try call.user])), call.request)
        },
        Operation(
            name: "deleteSubscription",
            method: "DELETE",
            path: [.word("subscriptions"), .id("user")],
            summary: "End all subscriptions of a user.",
            success: Success(status: 200, summary: "They have ended.", shape: AnswerShapes.done),
            problems: [(404, "The user has none."), (422, "This cannot be a user.")]
        ) { calls, call async throws(CallFailure) in
            try await calls.ask(.unregistration(.user(try call.user)), call.request)
        },
    ]
}

extension Operation.Call {
    /// The user whom the path names.
    fileprivate var user: Recipient {
        get throws(CallFailure) {
            let shape = Shape.identifier(longest: NotificationRules.longestIdentifier)
            if let problem = shape.problems(in: .string(id)).first {
                throw CallFailure(.invalid(Refusal(field: "user", problem.message)))
            }
            return Recipient(RecipientID(id))
        }
    }
}
