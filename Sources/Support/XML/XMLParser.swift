// SPDX-License-Identifier: Apache-2.0

import CXML2
import Synchronization

/// Parses whole documents with libxml2's push parser, without a tree.
///
/// DOCTYPE is refused, so there are no entities but the five predefined ones, and nothing is ever fetched. Any error
/// libxml2 speaks of is a failure, whatever it could recover from.
public final class XMLParser: Sendable {
    /// Contexts kept for the next document; more are made and thrown away when more threads parse at once.
    private static let kept = 8
    private static let isReady: Void = xmlInitParser()

    private let limits: XMLLimits
    private let trustsDeclaration: Bool
    private let idle = Mutex<[XMLContext]>([])

    /// Creates a parser; it may be shared by any number of threads.
    ///
    /// With `trustsDeclaration`, a document that the transport calls UTF-8, that is not, and that declares itself
    /// windows-1251 is read as that instead of being refused.
    public init(limits: XMLLimits = XMLLimits(), trustsDeclaration: Bool = false) {
        self.trustsDeclaration = trustsDeclaration
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
            let encoding = try XMLEncoding.detect(bytes, charset: charset)
            var offset = 0
            if let converted = try encoding.converted(bytes, trustsDeclaration: trustsDeclaration, offset: &offset) {
                if converted.contains(0) { throw XMLError("the document holds a NUL") }
                try converted.withUnsafeBufferPointer { try parse(utf8: $0, handler) }
            } else {
                try parse(utf8: UnsafeBufferPointer(rebasing: bytes[offset...]), handler)
            }
        }
    }

    private func parse(utf8 bytes: UnsafeBufferPointer<UInt8>, _ handler: any XMLHandler) throws {
        if bytes.isEmpty { throw XMLError("the document is empty") }
        let pooled = idle.withLock { $0.popLast() }
        guard let context = pooled ?? XMLContext(limits: limits) else { throw XMLError("out of memory") }
        defer {
            if !context.isWorn { idle.withLock { if $0.count < Self.kept { $0.append(context) } } }
        }
        try context.parse(bytes, handler)
    }
}
