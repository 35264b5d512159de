// SPDX-License-Identifier: Apache-2.0

/// The events of a document that is plainly well-formed, found before any of them is handed on.
///
/// Nearly every request is elements, text and namespaces, and for those libxml2's callbacks cost more than its
/// reading. Whatever else a document holds (attributes, comments, CDATA, a letter beyond ASCII in a name, a carriage
/// return, anything that is or might be wrong) is left to libxml2, and so is every message about a fault. What is
/// taken here libxml2 takes too, with the same events; `PlainDocumentTests` compares the two.
struct PlainDocument {
    /// A part of the document, as two places in it.
    struct Part {
        var start = 0
        var end = 0
        var count: Int { end - start }
    }

    enum Event {
        case start(local: Part, namespace: Part)
        case text(Part)
        /// A character that stood there as a reference.
        case character(StaticString)
        case end
    }

    /// Far above the headers of a request; a longer document is worth libxml2's time.
    private static let longest = 32 << 10
    private static let declarations: [StaticString] = [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<?xml version=\"1.0\" encoding=\"utf-8\"?>",
        "<?xml version='1.0' encoding='UTF-8'?>", "<?xml version=\"1.0\"?>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>",
    ]

    private let limits: XMLLimits
    private(set) var events: [Event] = []
    /// The names of the elements that are open, and how many namespaces were in force outside of each.
    var open: [(name: Part, namespaces: Int)] = []
    /// The namespaces in force.
    var namespaces: [(prefix: Part, name: Part)] = []
    private var elements = 0
    private var textLength = 0

    init(limits: XMLLimits) {
        self.limits = limits
        events.reserveCapacity(128)
        open.reserveCapacity(16)
        namespaces.reserveCapacity(8)
    }

    /// Reads a document in UTF-8; `false` where it is for libxml2 to say what it is.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count <= min(Self.longest, limits.markup) else { return false }
        events.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        namespaces.removeAll(keepingCapacity: true)
        (elements, textLength) = (0, 0)
        var index = Self.endOfDeclaration(bytes)
        index = Self.skipBlanks(bytes, index)
        repeat {
            guard index < bytes.count else { return false }
            let next = bytes[index] == Mark.less ? readTag(bytes, index) : readText(bytes, index)
            guard let next else { return false }
            index = next
        } while !open.isEmpty
        return Self.skipBlanks(bytes, index) == bytes.count
    }

    /// Hands the events of the document that was read last to a handler.
    func replay(_ bytes: UnsafeBufferPointer<UInt8>, to handler: some XMLHandler) throws {
        for event in events {
            switch event {
            case .start(let local, let namespace):
                let name = XMLName(local: bytes[local], namespace: bytes[namespace])
                try handler.startElement(name, XMLAttributes(fields: nil, count: 0))
            case .text(let part): try handler.text(bytes[part])
            case .character(let text):
                try handler.text(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
            case .end: try handler.endElement()
            }
        }
    }

    private static func endOfDeclaration(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard bytes.count > 1, bytes[1] == UInt8(ascii: "?") else { return 0 }
        for declaration in declarations where bytes.holds(declaration, at: 0) { return declaration.utf8CodeUnitCount }
        return 0
    }

    static func skipBlanks(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < bytes.count, Mark.isBlank(bytes[index]) { index += 1 }
        return index
    }

    // MARK: Text

    /// Returns where the text ends; `nil` where it is not plain.
    private mutating func readText(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        guard !open.isEmpty else { return nil }
        var index = start
        while index < bytes.count, Mark.isText(bytes[index]) {
            if bytes[index] >= 0xef, Self.isNoCharacter(bytes, index) { return nil }
            index += 1
        }
        guard index < bytes.count else { return nil }
        if index > start { events.append(.text(Part(start: start, end: index))) }
        textLength += index - start
        if bytes[index] == Mark.ampersand {
            guard let (text, end) = Self.reference(bytes, index) else { return nil }
            events.append(.character(text))
            textLength += 1
            index = end
        } else if bytes[index] != Mark.less {
            return nil
        }
        return textLength <= limits.text ? index : nil
    }

    /// U+FFFE and U+FFFF, which are in no document.
    private static func isNoCharacter(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard bytes[index] == 0xef, index + 2 < bytes.count else { return false }
        return bytes[index + 1] == 0xbf && bytes[index + 2] >= 0xbe
    }

    private static func reference(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> (StaticString, end: Int)? {
        if bytes.holds("&amp;", at: index) { return ("&", index + 5) }
        if bytes.holds("&lt;", at: index) { return ("<", index + 4) }
        if bytes.holds("&gt;", at: index) { return (">", index + 4) }
        if bytes.holds("&quot;", at: index) { return ("\"", index + 6) }
        if bytes.holds("&apos;", at: index) { return ("'", index + 6) }
        return nil
    }

    // MARK: Tags

    /// Returns where the tag ends; `nil` where it is not plain.
    private mutating func readTag(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        textLength = 0
        if start + 1 < bytes.count, bytes[start + 1] == Mark.slash { return readEnd(bytes, start + 2) }
        elements += 1
        guard elements <= limits.elements, open.count < limits.depth else { return nil }
        let outside = namespaces.count
        guard let name = QualifiedName(bytes, start + 1), let tag = declare(bytes, name.end) else { return nil }
        guard namespaces.count - outside <= limits.attributes, name.local.count <= limits.name,
            let namespace = namespace(of: name, bytes)
        else { return nil }
        events.append(.start(local: name.local, namespace: namespace))
        if tag.isEmpty {
            events.append(.end)
            namespaces.removeLast(namespaces.count - outside)
        } else {
            open.append((Part(start: start + 1, end: name.end), outside))
        }
        return tag.end
    }

    private mutating func readEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        guard let (name, outside) = open.popLast(), start + name.count < bytes.count else { return nil }
        for offset in 0..<name.count where bytes[start + offset] != bytes[name.start + offset] { return nil }
        let end = Self.skipBlanks(bytes, start + name.count)
        guard end < bytes.count, bytes[end] == Mark.greater else { return nil }
        events.append(.end)
        if namespaces.count > outside { namespaces.removeLast(namespaces.count - outside) }
        return end + 1
    }
}

extension UnsafeBufferPointer<UInt8> {
    subscript(part: PlainDocument.Part) -> Self { Self(rebasing: self[part.start..<part.end]) }

    /// Whether the bytes at a place are those of a literal.
    func holds(_ text: StaticString, at start: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard start + length <= count else { return false }
        for index in 0..<length where self[start + index] != text.utf8Start[index] { return false }
        return true
    }
}
