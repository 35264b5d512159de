// SPDX-License-Identifier: Apache-2.0

/// What a Content-Type says (RFC 9110, 8.3.1).
///
/// The document itself counts more: scripts name all sorts of types.
struct MediaType {
    /// Type and subtype in small letters.
    let name: String
    /// The encoding of the body, where one is named.
    let charset: String?
    private let parameters: [(name: String, value: String)]

    /// Reads the header's value.
    init(_ header: String?) {
        // What nearly every client sends, and then nothing needs taking apart.
        if header == nil || header == "text/xml; charset=utf-8" || header == "text/xml; charset=UTF-8" {
            name = "text/xml"
            charset = header == nil ? nil : "utf-8"
            parameters = []
            return
        }
        var parts = Self.split(header ?? "", at: ";")
        name = parts.removeFirst().lowercased()
        let parameters = parts.compactMap { part -> (name: String, value: String)? in
            let pair = Self.split(part, at: "=", most: 1)
            return pair.count == 2 ? (pair[0].lowercased(), Self.unquoted(pair[1])) : nil
        }
        charset = parameters.first { $0.name == "charset" }?.value
        self.parameters = parameters
    }

    /// The value of a parameter, without its quotes.
    subscript(parameter: String) -> String? { parameters.first { $0.name == parameter }?.value }

    /// Whether the body is certainly no envelope.
    var isForeign: Bool {
        if name == "text/xml" { return false }
        let kinds = ["multipart/", "image/", "audio/", "video/", "application/pdf", "application/zip"]
        return isJSON || kinds.contains(where: name.hasPrefix)
    }

    /// Whether the body is JSON.
    var isJSON: Bool { name == "application/json" || name.hasSuffix("+json") }

    /// Whether the envelope is one of several parts: MTOM, or SOAP with attachments.
    var isPackage: Bool { name == "multipart/related" }

    /// The version to answer in where the envelope does not say.
    var version: SOAPVersion {
        let said = isPackage ? self["start-info"] ?? self["type"] ?? "" : name
        return said.lowercased().hasPrefix("application/soap+xml") ? .v12 : .v11
    }

    /// The parts between separators that stand outside of double quotes, without blanks at their ends.
    private static func split(_ text: String, at separator: Character, most: Int = .max) -> [String] {
        var parts = [""]
        var (isQuoted, isEscaped) = (false, false)
        for character in text {
            if character == separator, !isQuoted, parts.count <= most {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && !isEscaped && isQuoted
            parts[parts.count - 1].append(character)
        }
        return parts.map { String($0.trimmingBlanks) }
    }

    /// A value without its quotes; single ones are no quotes in HTTP, and come.
    private static func unquoted(_ value: String) -> String {
        guard value.count >= 2, let quote = value.first, quote == value.last, quote == "\"" || quote == "'" else {
            return value
        }
        var isEscaped = false
        return value.dropFirst().dropLast().filter { character in
            isEscaped = quote == "\"" && character == "\\" && !isEscaped
            return !isEscaped
        }
    }
}

extension String {
    fileprivate var trimmingBlanks: Substring {
        let rest = drop { $0 == " " || $0 == "\t" }
        guard let end = rest.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return rest.prefix(0) }
        return rest[...end]
    }
}
