// SPDX-License-Identifier: Apache-2.0

/// The encoding a document comes in.
enum XMLEncoding: Equatable {
    case utf8
    case utf16(isBigEndian: Bool)
    case utf32(isBigEndian: Bool)
    /// Any other, by the name that the transport or the document gave it.
    case named(String)

    /// Finds the encoding: a byte order mark, then the transport's word, then the first bytes and the declaration in
    /// them, then UTF-8 (RFC 7303, 3).
    static func detect(_ bytes: UnsafeBufferPointer<UInt8>, charset: String?) -> XMLEncoding {
        if let mark = byteOrderMark(bytes) { return mark }
        let shown = shown(bytes)
        if let charset, !charset.isEmpty { return named(charset, shown: shown) }
        if let shown { return shown }
        guard let declared = XMLDeclaration.encoding(of: bytes) else { return .utf8 }
        // Who could read as far as the declaration in single bytes has no wide characters before it, whatever it
        // says: .NET's StringWriter puts "utf-16" on top of what is then sent as UTF-8.
        let found = named(declared, shown: nil)
        return found.isWide ? .utf8 : found
    }

    /// The encoding of a name; `shown` settles the order of bytes where the name leaves it open.
    private static func named(_ name: String, shown: XMLEncoding?) -> XMLEncoding {
        if name == "utf-8" { return .utf8 }
        switch name.lowercased().filter({ $0 != "-" && $0 != "_" }) {
        case "utf8", "usascii", "ascii": return .utf8
        case "utf16", "ucs2", "iso10646ucs2", "unicode":
            if case .utf16? = shown { return shown ?? .utf8 }
            return .utf16(isBigEndian: false)
        case "utf16le", "ucs2le", "unicodelittle": return .utf16(isBigEndian: false)
        case "utf16be", "ucs2be", "unicodebig", "unicodefffe": return .utf16(isBigEndian: true)
        case "utf32", "ucs4", "iso10646ucs4":
            if case .utf32? = shown { return shown ?? .utf8 }
            return .utf32(isBigEndian: true)
        case "utf32le", "ucs4le": return .utf32(isBigEndian: false)
        case "utf32be", "ucs4be": return .utf32(isBigEndian: true)
        default: return .named(name)
        }
    }

    private var isWide: Bool {
        switch self {
        case .utf16, .utf32: true
        case .utf8, .named: false
        }
    }

    /// Without a mark, wide characters show themselves by the zeros beside the first "<" (XML 1.0, appendix F).
    private static func shown(_ bytes: UnsafeBufferPointer<UInt8>) -> XMLEncoding? {
        if bytes.starts(with: [0, 0, 0, 0x3c]) { return .utf32(isBigEndian: true) }
        if bytes.starts(with: [0x3c, 0, 0, 0]) { return .utf32(isBigEndian: false) }
        if bytes.starts(with: [0x3c, 0]) { return .utf16(isBigEndian: false) }
        if bytes.starts(with: [0, 0x3c]) { return .utf16(isBigEndian: true) }
        return nil
    }

    private static func byteOrderMark(_ bytes: UnsafeBufferPointer<UInt8>) -> XMLEncoding? {
        guard let first = bytes.first, first == 0 || first >= 0xef else { return nil }
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return .utf8 }
        // Before UTF-16's, whose mark it begins with: U+0000 is in no document.
        if bytes.starts(with: [0xff, 0xfe, 0, 0]) { return .utf32(isBigEndian: false) }
        if bytes.starts(with: [0, 0, 0xfe, 0xff]) { return .utf32(isBigEndian: true) }
        if bytes.starts(with: [0xff, 0xfe]) { return .utf16(isBigEndian: false) }
        if bytes.starts(with: [0xfe, 0xff]) { return .utf16(isBigEndian: true) }
        return nil
    }
}
