// SPDX-License-Identifier: Apache-2.0

public import Bus
public import JSON

/// An answer of a JSON API as a client sees it.
public struct Answer {
    /// The HTTP status.
    public let status: Int
    /// The media type.
    public let type: String
    /// The header fields.
    public let headers: [(name: String, value: String)]
    /// The body.
    public let text: String

    /// Reads a response.
    public init(_ response: HTTPResponse) {
        status = response.status
        type = response.contentType
        headers = response.headers
        text = String(decoding: response.body, as: UTF8.self)
    }

    /// The body as JSON.
    public var json: JSONValue? { try? JSONValue(parsing: text) }
    /// The name of a problem.
    public var code: String? { json?["code"]?.string }

    /// The fields at fault.
    public var faults: [(path: String, detail: String)] {
        json?["errors"]?.array?.map { ($0["path"]?.string ?? "", $0["detail"]?.string ?? "") } ?? []
    }

    /// The value of a header field.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Whether it is a whole problem document of this status.
    public func isProblem(_ status: Int, _ code: String) -> Bool {
        self.status == status && type == "application/problem+json" && self.code == code
            && json?["status"]?.integer == Int64(status) && json?["type"]?.string == "about:blank"
            && json?["title"]?.string?.isEmpty == false && json?["detail"]?.string?.isEmpty == false
    }
}
