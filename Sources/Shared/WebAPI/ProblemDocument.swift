// SPDX-License-Identifier: Apache-2.0

public import Bus
import JSON

/// Why a call of a JSON API failed, as RFC 9457 has it (`application/problem+json`).
///
/// Beside the standard's members it has `code`, a name for programs to look at, and `errors` with the path of every
/// field at fault. Nothing of the request but field names is repeated.
public struct ProblemDocument: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The name for programs.
    public var code: String
    /// What is wrong with this call, in one sentence.
    public var detail: String
    /// The fields at fault.
    public var fields: [Refusal.Field]
    /// Further header fields of the answer.
    public var headers: [(name: String, value: String)]

    /// Describes a failure.
    public init(
        _ status: Int,
        _ code: String,
        _ detail: String,
        fields: [Refusal.Field] = [],
        headers: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.fields = fields
        self.headers = headers
    }

    /// The document as an answer.
    public var response: HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("type")
        writer.string(static: "about:blank")
        writer.key("title")
        writer.string(title)
        writer.key("status")
        writer.integer(status)
        writer.key("code")
        writer.string(code)
        writer.key("detail")
        writer.string(detail)
        if !fields.isEmpty { write(fields, to: &writer) }
        writer.endObject()
        return HTTPResponse(
            status: status,
            contentType: "application/problem+json",
            headers: headers,
            body: writer.bytes
        )
    }

    private func write(_ fields: [Refusal.Field], to writer: inout JSONWriter) {
        writer.key("errors")
        writer.beginArray()
        for field in fields {
            writer.beginObject()
            writer.key("path")
            writer.string(field.path)
            writer.key("detail")
            writer.string(field.message)
            writer.endObject()
        }
        writer.endArray()
    }

    /// For `about:blank` the title is the status's own phrase (RFC 9457, 4.2.1).
    private var title: String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        default: "Error"
        }
    }
}

extension ProblemDocument {
    /// What the server itself turned away, before the call was looked at.
    public init(_ refusal: HTTPRefusal) {
        let code =
            switch refusal {
            case .methodNotAllowed: "METHOD_NOT_ALLOWED"
            case .bodyTooLarge: "CONTENT_TOO_LARGE"
            case .ambiguousLength: "MALFORMED_REQUEST"
            case .overloaded, .stopping: "OVERLOADED"
            }
        self.init(refusal.status, code, refusal.message, headers: refusal.headers)
    }

    /// The body cannot be read at all.
    public static func malformed(_ detail: String) -> Self { Self(400, "MALFORMED_REQUEST", detail) }

    /// The caller is not who they would have to be.
    ///
    /// Where they `presented` something, the challenge says that it is not right (RFC 6750, 3).
    public static func unauthorized(presented: Bool) -> Self {
        let challenge = presented ? "Bearer error=\"invalid_token\"" : "Bearer"
        let detail = presented ? "the bearer token is not the right one" : "this call needs a bearer token"
        return Self(401, "UNAUTHORIZED", detail, headers: [("WWW-Authenticate", challenge)])
    }

    /// What the call speaks of is not there.
    public static func notFound(_ detail: String) -> Self { Self(404, "ENTITY_NOT_FOUND", detail) }

    /// The API has no such path.
    public static var unknownPath: Self { Self(404, "UNKNOWN_PATH", "there is no such call here") }

    /// The path has no such method; `allowed` are those that it has.
    public static func methodNotAllowed(_ allowed: String) -> Self {
        Self(.methodNotAllowed(allowed: allowed))
    }

    /// The fields are not as they must be.
    public static func invalid(_ refusal: Refusal) -> Self {
        Self(422, "INVALID_REQUEST", refusal.message, fields: refusal.fields)
    }

    /// The fields are not as they must be; there is at least one.
    public static func invalid(_ fields: [Refusal.Field]) -> Self {
        let sentence = fields.map { $0.path.isEmpty ? "the body \($0.message)" : "\($0.path) \($0.message)" }
        return Self(422, "INVALID_REQUEST", sentence.joined(separator: "; "), fields: fields)
    }

    /// The bus could not do it; why is in its log.
    public static var failed: Self { Self(500, "INTERNAL_SERVER_ERROR", "the bus could not do it; nothing was kept") }

    /// This release cannot do it.
    public static func notAvailable(_ detail: String) -> Self { Self(501, "NOT_AVAILABLE", detail) }

    /// Full; worth another try after so many seconds.
    public static func overloaded(retryAfter: Int) -> Self {
        let headers = [(name: "Retry-After", value: String(max(1, retryAfter)))]
        return Self(503, "OVERLOADED", "the bus is full; try again later", headers: headers)
    }
}
