// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the bytes of a request: enough to answer it and close the connection, for where the next request
/// begins is anybody's guess.
struct FramingFault: Error, Equatable {
    /// What the caller is answered with.
    let status: Int
    /// In words for the caller.
    let message: String

    private init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Breaks RFC 9112, in a way that two readers could understand differently.
    static func malformed(_ what: String) -> Self { Self(400, what) }
    /// No body that is so long is taken.
    static let bodyTooLong = Self(413, "the body is too large")
    /// The request's target does not fit into a connection's memory.
    static let targetTooLong = Self(414, "the path and its query are too long")
    /// The header fields do not fit into a connection's memory.
    static let headTooLarge = Self(431, "the header fields are too large")
    /// Neither HTTP/1.1 nor HTTP/1.0.
    static let version = Self(505, "only HTTP/1.1 and HTTP/1.0 are spoken here")

    private var phrase: String {
        switch status {
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 431: "Request Header Fields Too Large"
        case 505: "HTTP Version Not Supported"
        default: "Bad Request"
        }
    }

    /// The whole answer.
    var answer: [UInt8] {
        let head = "HTTP/1.1 \(status) \(phrase)\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
        return Array("\(head)Content-Length: \(message.utf8.count + 1)\r\n\r\n\(message)\n".utf8)
    }
}
