// SPDX-License-Identifier: Apache-2.0

import Unicode

/// A request of several parts: MTOM (XOP 1.0), or SOAP with attachments.
///
/// No operation has a field for an attachment, so the root part with the envelope is all that is read.
struct RequestPackage {
    /// The root part.
    let envelope: [UInt8]
    /// What the root part says it is.
    let type: MediaType

    /// Finds the root part (RFC 2387): the one that `start` names, else the first.
    init(_ body: [UInt8], _ package: MediaType) throws(SOAPFault) {
        guard let boundary = package["boundary"], (1...70).contains(boundary.utf8.count) else {
            throw .unsupported("multipart/related needs a boundary")
        }
        let parts = MultipartBody(body, boundary: boundary).parts
        let start = package["start"].map(Self.bare) ?? ""
        let named = parts.first { Self.bare($0.fields["content-id"] ?? "") == start }
        guard let root = start.isEmpty ? parts.first : named else {
            throw .unsupported("multipart/related has no root part with the envelope")
        }
        let coding = root.fields["content-transfer-encoding"]?.lowercased() ?? "binary"
        guard ["binary", "8bit", "7bit"].contains(coding) else {
            throw .unsupported("the root part must not be encoded; send it as binary or 8bit")
        }
        type = MediaType(root.fields["content-type"])
        if type.isForeign { throw .unsupported("the root part must be SOAP, as text/xml or application/xop+xml") }
        envelope = Array(root.content)
    }

    /// An id without its brackets.
    private static func bare(_ id: String) -> String {
        let id = trimmed(id)
        return id.hasPrefix("<") && id.hasSuffix(">") && id.count >= 2 ? String(id.dropFirst().dropLast()) : id
    }
}

/// The parts of a MIME body (RFC 2046, 5.1.1), at most a hundred.
struct MultipartBody {
    /// One part: its head, with names in small letters, and what follows.
    struct Part {
        var fields: [String: String] = [:]
        var content: ArraySlice<UInt8>
    }

    private static let most = 100
    /// Far more than any program writes at the head of a part.
    private static let longestHead = 16 << 10

    private(set) var parts: [Part] = []

    init(_ body: [UInt8], boundary: String) {
        let delimiter = Array("--\(boundary)".utf8)
        var (line, start) = (body.startIndex, Int?.none)
        while line < body.endIndex, parts.count < Self.most {
            let next = body[line...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? body.endIndex
            if body[line..<next].starts(with: delimiter), Self.isEnd(body[(line + delimiter.count)..<next]) {
                if let start { parts.append(Self.part(body[start..<Self.end(before: line, from: start, in: body)])) }
                if body[(line + delimiter.count)..<next].starts(with: "--".utf8) { return }
                start = next
            }
            line = next
        }
    }

    /// Whether a boundary ends here: a longer one may begin alike.
    private static func isEnd(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.first.map { "\r\n \t".utf8.contains($0) } ?? true || rest.starts(with: "--".utf8)
    }

    /// The line end before a boundary belongs to it.
    private static func end(before line: Int, from start: Int, in body: [UInt8]) -> Int {
        var end = line
        if end > start, body[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        if end > start, body[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return end
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> Part {
        var part = Part(content: bytes)
        var last: String?
        while part.content.startIndex - bytes.startIndex < longestHead,
            let end = part.content.firstIndex(of: UInt8(ascii: "\n"))
        {
            let line = String(decoding: part.content[..<end], as: UTF8.self)
            part.content = part.content[(end + 1)...]
            let text = trimmed(line)
            if text.isEmpty { break }
            if let last, line.first == " " || line.first == "\t" {
                part.fields[last, default: ""] += " \(text)"
            } else if let colon = text.firstIndex(of: ":") {
                let name = trimmed(String(text[..<colon])).lowercased()
                part.fields[name] = trimmed(String(text[text.index(after: colon)...]))
                last = name
            }
        }
        return part
    }
}
