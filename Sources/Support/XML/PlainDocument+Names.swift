// SPDX-License-Identifier: Apache-2.0

/// The bytes of plain markup.
enum Mark {
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")
    static let slash = UInt8(ascii: "/")
    static let ampersand = UInt8(ascii: "&")
    static let colon = UInt8(ascii: ":")

    /// A carriage return is none: it would have to become a line feed.
    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x09 }

    /// Whether a byte stands for itself in a text, and neither ends it nor may do so.
    ///
    /// A bracket may: `]]>` must not stand in a text.
    @inline(__always)
    static func isText(_ byte: UInt8) -> Bool {
        if byte < 0x20 { return byte == 0x0a || byte == 0x09 }
        return byte != less && byte != ampersand && byte != UInt8(ascii: "]")
    }

    @inline(__always)
    static func beginsName(_ byte: UInt8) -> Bool {
        (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")) || byte == UInt8(ascii: "_")
    }

    @inline(__always)
    static func continuesName(_ byte: UInt8) -> Bool {
        beginsName(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}

/// A name in ASCII, with a prefix or without.
struct QualifiedName {
    /// Empty where there is none.
    let prefix: PlainDocument.Part
    let local: PlainDocument.Part

    var end: Int { local.end }

    /// Reads the name that begins at a place; `nil` where none does, or one with two colons.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) {
        guard let first = Self.end(bytes, start) else { return nil }
        guard first < bytes.count, bytes[first] == Mark.colon else {
            prefix = PlainDocument.Part()
            local = PlainDocument.Part(start: start, end: first)
            return
        }
        guard let second = Self.end(bytes, first + 1), second < bytes.count, bytes[second] != Mark.colon else {
            return nil
        }
        prefix = PlainDocument.Part(start: start, end: first)
        local = PlainDocument.Part(start: first + 1, end: second)
    }

    private static func end(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        guard start < bytes.count, Mark.beginsName(bytes[start]) else { return nil }
        var index = start + 1
        while index < bytes.count, Mark.continuesName(bytes[index]) { index += 1 }
        return index
    }
}

extension PlainDocument {
    /// Prefixes that begin so are XML's own.
    private static let reserved: StaticString = "xml"
    /// Namespaces that begin so are, some of them, bound to a prefix for good.
    private static let bound: [StaticString] = ["http://www.w3.org/XML/", "http://www.w3.org/2000/xmlns"]

    /// Reads a tag behind its name, and takes its namespaces; `nil` where there is anything else in it.
    mutating func declare(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (end: Int, isEmpty: Bool)? {
        let outside = namespaces.count
        var index = start
        while true {
            let next = Self.skipBlanks(bytes, index)
            guard next < bytes.count else { return nil }
            if bytes[next] == Mark.greater { return (next + 1, false) }
            if bytes[next] == Mark.slash {
                return next + 1 < bytes.count && bytes[next + 1] == Mark.greater ? (next + 2, true) : nil
            }
            guard next > index, let end = declareOne(bytes, next, outside) else { return nil }
            index = end
        }
    }

    private mutating func declareOne(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ outside: Int) -> Int? {
        guard bytes.holds("xmlns", at: start), let name = QualifiedName(bytes, start) else { return nil }
        let prefix: Part
        if name.prefix.count == 0 {
            guard name.local.count == 5 else { return nil }
            prefix = Part()
        } else {
            guard name.prefix.count == 5, !bytes.holds(Self.reserved, at: name.local.start) else { return nil }
            prefix = name.local
        }
        // The equals sign without blanks around it, as all programs write it.
        guard name.end + 1 < bytes.count, bytes[name.end] == UInt8(ascii: "=") else { return nil }
        let quote = bytes[name.end + 1]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        guard let end = Self.endOfNamespace(bytes, name.end + 2), end < bytes.count, bytes[end] == quote else {
            return nil
        }
        // Twice on one element is a fault.
        for declared in namespaces[outside...] where Self.areEqual(declared.prefix, prefix, bytes) { return nil }
        namespaces.append((prefix, Part(start: name.end + 2, end: end)))
        return end + 1
    }

    /// Where a namespace ends that is an address or a name of the usual form; `nil` where it is not: libxml2 has an
    /// opinion on those that are no URIs.
    private static func endOfNamespace(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        if bytes.holds("urn:", at: start) {
            let end = endOfRun(bytes, start + 4) { $0 == Mark.colon || $0 == Mark.slash }
            return end > start + 4 ? end : nil
        }
        let isSecure = bytes.holds("https://", at: start)
        guard isSecure || bytes.holds("http://", at: start) else { return nil }
        for name in bound where bytes.holds(name, at: start) { return nil }
        let host = start + (isSecure ? 8 : 7)
        let path = endOfRun(bytes, host) { _ in false }
        guard path > host, Mark.continuesName(bytes[host]), path < bytes.count, bytes[path] == Mark.slash else {
            return path > host ? path : nil
        }
        return endOfRun(bytes, path) { $0 == Mark.slash }
    }

    private static func endOfRun(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ start: Int,
        _ isAlsoMeant: (UInt8) -> Bool
    ) -> Int {
        var index = start
        while index < bytes.count, Mark.continuesName(bytes[index]) || isAlsoMeant(bytes[index]) { index += 1 }
        return index
    }

    /// The namespace of an element; `nil` where its prefix stands for none.
    func namespace(of name: QualifiedName, _ bytes: UnsafeBufferPointer<UInt8>) -> Part? {
        var index = namespaces.count - 1
        while index >= 0 {
            if Self.areEqual(namespaces[index].prefix, name.prefix, bytes) { return namespaces[index].name }
            index -= 1
        }
        return name.prefix.count == 0 ? Part() : nil
    }

    private static func areEqual(_ first: Part, _ second: Part, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard first.count == second.count else { return false }
        for offset in 0..<first.count where bytes[first.start + offset] != bytes[second.start + offset] {
            return false
        }
        return true
    }
}
