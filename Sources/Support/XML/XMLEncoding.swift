// SPDX-License-Identifier: Apache-2.0

/// The encodings a document may come in; all others are refused by name.
enum XMLEncoding {
    case utf8
    case utf16(isBigEndian: Bool)
    case windows1251

    /// Finds the encoding: a byte order mark, then the transport's word, then the declaration, then UTF-8 (RFC 7303).
    static func detect(_ bytes: UnsafeBufferPointer<UInt8>, charset: String?) throws(XMLError) -> XMLEncoding {
        if let mark = byteOrderMark(bytes) { return mark }
        let shown = utf16(bytes)
        if let charset, !charset.isEmpty {
            let named = try named(charset)
            // "UTF-16" leaves open which of the two it is.
            if case .utf16 = named, let shown { return shown }
            return named
        }
        if let shown { return shown }
        guard let declared = declaration(bytes) else { return .utf8 }
        return try named(declared)
    }

    /// The document as UTF-8 without a mark; `nil` where its own bytes, after `offset`, are that already.
    ///
    /// `trustsDeclaration`: a document that should be UTF-8, is not, and declares itself windows-1251 is that.
    func converted(
        _ bytes: UnsafeBufferPointer<UInt8>,
        trustsDeclaration: Bool,
        offset: inout Int
    ) throws(XMLError) -> [UInt8]? {
        switch self {
        case .utf8:
            if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
            if isValidUTF8(UnsafeBufferPointer(rebasing: bytes[offset...])) { return nil }
            guard trustsDeclaration, offset == 0, let declared = Self.declaration(bytes),
                case .windows1251 = try Self.named(declared)
            else { throw XMLError("the document is not valid UTF-8") }
            return Windows1251.utf8(bytes)
        case .windows1251: return Windows1251.utf8(bytes)
        case .utf16(let isBigEndian): return try Self.utf8(utf16: bytes, isBigEndian: isBigEndian)
        }
    }

    /// Without a mark, UTF-16 shows itself by a zero beside the first "<".
    private static func utf16(_ bytes: UnsafeBufferPointer<UInt8>) -> XMLEncoding? {
        if bytes.count >= 2, bytes[0] == 0x3c, bytes[1] == 0 { return .utf16(isBigEndian: false) }
        if bytes.count >= 2, bytes[0] == 0, bytes[1] == 0x3c { return .utf16(isBigEndian: true) }
        return nil
    }

    private static func byteOrderMark(_ bytes: UnsafeBufferPointer<UInt8>) -> XMLEncoding? {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return .utf8 }
        if bytes.starts(with: [0xff, 0xfe]) { return .utf16(isBigEndian: false) }
        if bytes.starts(with: [0xfe, 0xff]) { return .utf16(isBigEndian: true) }
        return nil
    }

    private static func named(_ name: String) throws(XMLError) -> XMLEncoding {
        if name == "utf-8" { return .utf8 }
        switch name.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii": return .utf8
        case "utf-16", "utf16", "utf-16le": return .utf16(isBigEndian: false)
        case "utf-16be": return .utf16(isBigEndian: true)
        case "windows-1251", "cp1251", "cp-1251", "win-1251": return .windows1251
        default: throw XMLError("the encoding is not one of UTF-8, UTF-16 and windows-1251")
        }
    }

    /// The encoding's name in `<?xml version="1.0" encoding="…"?>`.
    private static func declaration(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.starts(with: "<?xml".utf8) else { return nil }
        let head = String(decoding: bytes.prefix(200), as: UTF8.self)
        guard let end = head.firstRange(of: "?>"), let key = head[..<end.lowerBound].firstRange(of: "encoding") else {
            return nil
        }
        let rest = head[key.upperBound..<end.lowerBound].drop { $0 != "\"" && $0 != "'" }
        guard let quote = rest.first else { return nil }
        return String(rest.dropFirst().prefix { $0 != quote })
    }

    private static func utf8(utf16 bytes: UnsafeBufferPointer<UInt8>, isBigEndian: Bool) throws(XMLError) -> [UInt8] {
        guard bytes.count.isMultiple(of: 2) else { throw XMLError("the document is not valid UTF-16") }
        var units = stride(from: 0, to: bytes.count, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        if units.first == 0xfeff { units.removeFirst() }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw XMLError("the document is not valid UTF-16")
        }
        return Array(text.utf8)
    }
}

/// Whether the bytes are UTF-8 without a NUL, eight at a time where they are ASCII.
private func isValidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    let raw = UnsafeRawBufferPointer(bytes)
    while index < bytes.count {
        if index + 8 <= bytes.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if word & 0x8080_8080_8080_8080 == 0, (word &- 0x0101_0101_0101_0101) & 0x8080_8080_8080_8080 == 0 {
                index += 8
                continue
            }
        }
        let length = sequenceLength(bytes, at: index)
        guard length > 0 else { return false }
        index += length
    }
    return true
}

/// The length of the sequence that begins here, by the table of well-formed sequences (Unicode 3.9, table 3-7).
private func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let (length, second): (Int, ClosedRange<UInt8>)
    switch bytes[index] {
    case 0x01...0x7f: return 1
    case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
    case 0xe0: (length, second) = (3, 0xa0...0xbf)
    case 0xed: (length, second) = (3, 0x80...0x9f)
    case 0xe1...0xef: (length, second) = (3, 0x80...0xbf)
    case 0xf0: (length, second) = (4, 0x90...0xbf)
    case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
    case 0xf4: (length, second) = (4, 0x80...0x8f)
    default: return 0
    }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
    for next in (index + 2)..<max(index + 2, index + length) where bytes[next] & 0xc0 != 0x80 { return 0 }
    return length
}
