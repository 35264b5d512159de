// SPDX-License-Identifier: Apache-2.0

/// What a body looks like that is not what was expected, in words for operators that repeat nothing of it.
enum BodyKind: Equatable {
    case empty, html, json, otherXML, other

    /// What the first bytes look like.
    static func looking(at bytes: [UInt8]) -> BodyKind {
        let start = String(decoding: bytes.prefix(512), as: UTF8.self).lowercased()
            .drop { $0.isWhitespace || $0 == "\u{feff}" }
        switch start.first {
        case nil: return .empty
        case "{"?, "["?: return .json
        case "<"?: return start.contains("<html") || start.contains("<!doctype html") ? .html : .otherXML
        default: return .other
        }
    }

    /// What came, to go on after "the bank answered HTTP 200 with".
    var description: String {
        switch self {
        case .empty: "an empty body"
        case .html: "an HTML page"
        case .json: "JSON"
        case .otherXML: "XML that is no answer in SOAP"
        case .other: "something that is no SOAP"
        }
    }
}
