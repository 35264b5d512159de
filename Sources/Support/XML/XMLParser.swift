// SPDX-License-Identifier: Apache-2.0

import CXML2
import Synchronization

/// Parses whole documents, without a tree: plain ones by itself, all others with libxml2's push parser.
///
/// DOCTYPE is refused, so there are no entities but the five predefined ones, and nothing is ever fetched. Any error
/// libxml2 speaks of is a failure, whatever it could recover from.
public final class XMLParser: Sendable {
    /// Contexts kept for the next document; more are made and thrown away when more threads parse at once.
    private static let kept = 8
    private static let isReady: Void = xmlInitParser()

    private let limits: XMLLimits
    private let trustsDeclaration: Bool
    private let skipsLeadingBlanks: Bool
    private let idle = Mutex<[XMLContext]>([])
    private let plain = Mutex<[PlainDocument]>([])

    /// Creates a parser; it may be shared by any number of threads.
    ///
    /// With `trustsDeclaration`, a document that the transport calls UTF-8, that is not, and that declares itself
    /// something else is read as that instead of being refused. With `skipsLeadingBlanks`, blanks, line ends and byte
    /// order marks before the declaration are passed over, which XML does not allow and scripts print.
    public init(limits: XMLLimits = XMLLimits(), trustsDeclaration: Bool = false, skipsLeadingBlanks: Bool = false) {
        self.trustsDeclaration = trustsDeclaration
        self.skipsLeadingBlanks = skipsLeadingBlanks
        _ = Self.isReady
        self.limits = limits
    }

    /// Hands the document's events to a handler.
    ///
    /// An encoding that the transport named in `charset` counts more than the document's own declaration.
    ///
    /// - Throws: ``XMLError`` for the document's faults, or what the handler threw.
    public func parse(_ bytes: [UInt8], charset: String? = nil, handler: some XMLHandler) throws {
        try bytes.withUnsafeBufferPointer { bytes in
            let bytes = skipsLeadingBlanks ? bytes.withoutLeadingBlanks : bytes
            var document = XMLTranscoding(bytes, trustsDeclaration: trustsDeclaration)
            if let converted = try document.utf8(charset: charset) {
                if converted.contains(0) { throw XMLError("the document holds a NUL") }
                try converted.withUnsafeBufferPointer { try parse(utf8: $0, handler) }
            } else {
                try parse(utf8: UnsafeBufferPointer(rebasing: bytes[document.offset...]), handler)
            }
        }
    }

    private func parse(utf8 bytes: UnsafeBufferPointer<UInt8>, _ handler: some XMLHandler) throws {
        if bytes.isEmpty { throw XMLError("the document is empty") }
        var document = plain.withLock { $0.popLast() } ?? PlainDocument(limits: limits)
        defer { plain.withLock { if $0.count < Self.kept { $0.append(document) } } }
        if document.read(bytes) { return try document.replay(bytes, to: handler) }
        try parseWithLibrary(bytes, handler)
    }

    private func parseWithLibrary(_ bytes: UnsafeBufferPointer<UInt8>, _ handler: any XMLHandler) throws {
        let pooled = idle.withLock { $0.popLast() }
        guard let context = pooled ?? XMLContext(limits: limits) else { throw XMLError("out of memory") }
        defer {
            if !context.isWorn { idle.withLock { if $0.count < Self.kept { $0.append(context) } } }
        }
        try context.parse(bytes, handler)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes from the first that a document in an encoding like ASCII can begin with, a byte order mark in front
    /// of it left out.
    fileprivate var withoutLeadingBlanks: Self {
        var rest = self[...]
        while let first = rest.first, first != UInt8(ascii: "<") {
            if rest.starts(with: [0xef, 0xbb, 0xbf]) {
                rest = rest.dropFirst(3)
            } else if [0x20, 0x09, 0x0a, 0x0d].contains(first) {
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        // A blank of a wide encoding is half of one.
        guard rest.first == UInt8(ascii: "<"), rest.startIndex > 0 else { return self }
        // A mark right before the document says what it is in.
        let before = self[..<rest.startIndex].suffix(3)
        return Self(rebasing: self[(before.elementsEqual([0xef, 0xbb, 0xbf]) ? before : rest).startIndex...])
    }
}
