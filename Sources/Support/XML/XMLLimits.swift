// SPDX-License-Identifier: Apache-2.0

/// What a document may be at most.
public struct XMLLimits: Sendable {
    /// Elements within elements.
    public var depth = 100
    /// Elements altogether.
    public var elements = 50_000
    /// Attributes of one element, namespace declarations included.
    public var attributes = 100
    /// Bytes of a name.
    public var name = 256
    /// Bytes of text between two tags.
    public var text = 256 << 10
    /// Bytes of one tag, comment, instruction or CDATA section in a larger document.
    ///
    /// libxml2 compares each attribute with all before it, so a tag must not be long enough for that to matter.
    public var markup = 32 << 10

    /// Creates the limits of a SOAP request (the usual ones of Java servers are looser).
    public init() {}
}
