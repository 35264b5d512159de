// SPDX-License-Identifier: Apache-2.0

/// The declaration at the top of a document, as far as its encoding goes.
enum XMLDeclaration {
    /// What of a document is looked at.
    private static let head = 200

    /// The name in `<?xml version="1.0" encoding="…"?>`; `nil` where there is no declaration or no name in it.
    static func encoding(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
        if bytes.starts(with: "<?xml".utf8) {
            return name(in: String(decoding: bytes.prefix(head), as: UTF8.self))
        }
        // "<?xm" on a mainframe: the characters of the declaration are the same in all of its code pages.
        guard bytes.starts(with: [0x4c, 0x6f, 0xa7, 0x94]) else { return nil }
        let part = UnsafeBufferPointer(rebasing: bytes.prefix(head))
        guard let text = CharsetConverter(from: "IBM037")?.utf8(part) else { return nil }
        return name(in: String(decoding: text, as: UTF8.self))
    }

    private static func name(in head: String) -> String? {
        guard let end = head.firstRange(of: "?>"), let key = head[..<end.lowerBound].firstRange(of: "encoding") else {
            return nil
        }
        let rest = head[key.upperBound..<end.lowerBound].drop { $0 != "\"" && $0 != "'" }
        guard let quote = rest.first else { return nil }
        return String(rest.dropFirst().prefix { $0 != quote })
    }
}
