// SPDX-License-Identifier: Apache-2.0

/// An identifier that somebody else made up: a byte string, compared byte for byte.
///
/// Swift's `String ==` holds "é" and "e\u{301}" equal while a database comparing bytes does not; an id that is
/// one to us and two to the ledger would be delivered twice or never. Hence a type of its own.
public protocol ExactIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The identifier's text; its UTF-8 bytes are its identity.
    var text: String { get }
    /// Wraps a text as it is.
    init(_ text: String)
}

extension ExactIdentifier {
    /// The text itself.
    public var description: String { text }

    /// Wraps a literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// Whether both have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// The order of the bytes.
    public static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        let isContiguous: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isContiguous == nil { for byte in text.utf8 { hasher.combine(byte) } }
        hasher.combine(0xff as UInt8)
    }
}

/// A user as a bank or an app names them (often a login).
public struct RecipientID: ExactIdentifier {
    /// The name's text.
    public let text: String
    /// Wraps a text as it is.
    public init(_ text: String) { self.text = text }
}

/// The id a bank gave a notification; unique within one pipeline.
public struct NotificationID: ExactIdentifier {
    /// The id's text.
    public let text: String
    /// Wraps a text as it is.
    public init(_ text: String) { self.text = text }
}
