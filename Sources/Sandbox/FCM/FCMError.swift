// SPDX-License-Identifier: Apache-2.0

import JSON

/// What FCM says about a request that it refuses: Google's `google.rpc.Status` with details.
struct FCMError: Error, Equatable {
    /// A field that is not as it must be.
    struct Violation: Equatable {
        let field: String
        let description: String
    }

    private static let words: [Int: String] = [
        400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
        429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE",
    ]
    private static let messages = [
        "INVALID_ARGUMENT": "The registration token is not a valid FCM registration token",
        "UNREGISTERED": "Requested entity was not found.",
        "SENDER_ID_MISMATCH": "SenderId mismatch",
        "QUOTA_EXCEEDED": "Quota exceeded.",
    ]

    let status: Int
    let message: String
    var errorCode: String?
    var cause: String?
    var violations: [Violation] = []

    /// What is remembered of it.
    var label: String { errorCode ?? cause ?? violations.first?.field ?? "" }

    /// An error with FCM's own code, or without one where there is none.
    init(_ status: Int, errorCode: String?) {
        self.status = status
        self.errorCode = errorCode
        message = errorCode.flatMap { Self.messages[$0] } ?? "as the rule says"
    }

    private init(_ status: Int, _ message: String, cause: String? = nil, violations: [Violation] = []) {
        self.status = status
        self.message = message
        self.cause = cause
        self.violations = violations
    }

    static let noCredentials = Self(401, "Request is missing required authentication", cause: "CREDENTIALS_MISSING")
    static let badCredentials = Self(
        401,
        "Request had invalid authentication credentials.",
        cause: "ACCESS_TOKEN_EXPIRED"
    )
    static let noProject = Self(404, "Requested entity was not found.")
    static let badToken = Self(400, errorCode: "INVALID_ARGUMENT")

    static func violating(_ violations: [Violation]) -> Self {
        Self(400, violations.first?.description ?? "", violations: violations)
    }

    /// The body, as Google writes it.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("error")
        writer.beginObject()
        writer.key("code")
        writer.integer(status)
        writer.key("message")
        writer.string(message)
        writer.key("status")
        writer.string(Self.words[status] ?? "UNKNOWN")
        writer.key("details")
        writer.beginArray()
        if let errorCode { writer.detail("google.firebase.fcm.v1.FcmError", "errorCode", errorCode) }
        if let cause { writer.detail("google.rpc.ErrorInfo", "reason", cause) }
        if !violations.isEmpty { writer.badRequest(violations) }
        writer.endArray()
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func detail(_ type: String, _ key: StaticString, _ value: String) {
        beginObject()
        self.key("@type")
        string("type.googleapis.com/\(type)")
        self.key(key)
        string(value)
        endObject()
    }

    fileprivate mutating func badRequest(_ violations: [FCMError.Violation]) {
        beginObject()
        key("@type")
        string("type.googleapis.com/google.rpc.BadRequest")
        key("fieldViolations")
        beginArray()
        for violation in violations {
            beginObject()
            key("field")
            string(violation.field)
            key("description")
            string(violation.description)
            endObject()
        }
        endArray()
        endObject()
    }
}
