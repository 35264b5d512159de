// SPDX-License-Identifier: Apache-2.0

/// Makes UTF-8 of a document.
struct XMLTranscoding {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Whether the document's own word counts where the transport's is certainly wrong.
    let trustsDeclaration: Bool
    /// Bytes at the beginning that are no part of the document: a byte order mark.
    private(set) var offset = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, trustsDeclaration: Bool) {
        self.bytes = bytes
        self.trustsDeclaration = trustsDeclaration
    }

    /// The document as UTF-8 without a mark; `nil` where its own bytes, after ``offset``, are that already.
    mutating func utf8(charset: String?) throws(XMLError) -> [UInt8]? {
        let encoding = XMLEncoding.detect(bytes, charset: charset)
        switch encoding {
        case .utf8:
            if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
            if isValidUTF8(UnsafeBufferPointer(rebasing: bytes[offset...])) { return nil }
            guard trustsDeclaration, offset == 0, case .named(let declared) = XMLEncoding.detect(bytes, charset: nil)
            else { throw XMLError("the document is not valid UTF-8") }
            return try converted(from: declared)
        case .utf16(let isBigEndian):
            return try converted(from: isBigEndian ? "UTF-16BE" : "UTF-16LE", shownAs: "UTF-16")
        case .utf32(let isBigEndian):
            return try converted(from: isBigEndian ? "UTF-32BE" : "UTF-32LE", shownAs: "UTF-32")
        case .named(let name):
            let text = try converted(from: name)
            guard isSingleByte(text), bytes.isTextInUTF8 else { return text }
            // Both words cannot be right, and the bytes side with the declaration.
            let isDeclared =
                XMLDeclaration.encoding(of: bytes) != nil && XMLEncoding.detect(bytes, charset: nil) == .utf8
            if trustsDeclaration, isDeclared { return nil }
            throw XMLError("the document is said to be in \(shown(name)), but its bytes are UTF-8; say which it is")
        }
    }

    private func converted(from name: String, shownAs label: String? = nil) throws(XMLError) -> [UInt8] {
        guard let converter = CharsetConverter(from: name) else {
            throw XMLError("the encoding \(shown(name)) is not known; use UTF-8")
        }
        guard var text = converter.utf8(bytes) else {
            throw XMLError("the document is not valid \(label ?? shown(name))")
        }
        if text.starts(with: [0xef, 0xbb, 0xbf]) { text.removeFirst(3) }
        return text
    }

    /// A name for a message: a stranger wrote it.
    private func shown(_ name: String) -> String {
        let text = String(String.UnicodeScalarView(name.unicodeScalars.prefix(40).filter(Self.isShown)))
        return text.isEmpty ? "that was named" : text
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "-_.:+()".unicodeScalars.contains(scalar))
    }

    /// Whether each byte became one character.
    private func isSingleByte(_ text: [UInt8]) -> Bool { text.count { $0 & 0xc0 != 0x80 } == bytes.count }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are UTF-8 that holds more than ASCII, and such characters as people write.
    ///
    /// Words in older sets can look like UTF-8 by chance, three letters of cp866 for one; then the characters that
    /// come out are those of scripts and signs that no bank writes.
    fileprivate var isTextInUTF8: Bool {
        guard isValidUTF8(self) else { return false }
        var isASCII = true
        for scalar in String(decoding: self, as: UTF8.self).unicodeScalars where !scalar.isASCII {
            isASCII = false
            switch scalar.value {
            case 0x80...0x7ff, 0x2010...0x2122, 0x1f000...0x1faff: continue
            default: return false
            }
        }
        return !isASCII
    }
}
