// SPDX-License-Identifier: Apache-2.0

/// Takes the events of a document, in its order.
///
/// The bytes are UTF-8 and valid during the call only. An error ends the parse and comes out of
/// ``XMLParser/parse(_:charset:handler:)``. Events may precede an error: nothing counts before that call returns.
public protocol XMLHandler: AnyObject {
    /// An element begins.
    func startElement(_ name: XMLName, _ attributes: XMLAttributes) throws
    /// Character data, in as many parts as the parser likes; CDATA comes the same way.
    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws
    /// The element begun last ends.
    func endElement() throws
}

/// The expanded name of an element; valid during the call only.
public struct XMLName {
    /// The name without prefix.
    public let local: UnsafeBufferPointer<UInt8>
    /// The namespace; empty where there is none.
    public let namespace: UnsafeBufferPointer<UInt8>

    /// Whether the local name is this one.
    public func isLocal(_ name: StaticString) -> Bool { local.isEqual(to: name) }

    /// Whether the namespace is this one; an empty text means none.
    public func isIn(_ namespace: StaticString) -> Bool { self.namespace.isEqual(to: namespace) }
}

/// The attributes of an element, without namespace declarations; valid during the call only.
public struct XMLAttributes {
    /// libxml2's array: local name, prefix, namespace, start and end of the value for each.
    let fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    /// How many there are.
    public let count: Int

    /// The attribute at a place, from 0.
    public subscript(index: Int) -> (name: XMLName, value: UnsafeBufferPointer<UInt8>) {
        guard let fields, (0..<count).contains(index) else {
            let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
            return (XMLName(local: none, namespace: none), none)
        }
        let field = fields + index * 5
        let length = if let start = field[3], let end = field[4] { end - start } else { 0 }
        let name = XMLName(local: terminated(field[0]), namespace: terminated(field[2]))
        return (name, UnsafeBufferPointer(start: field[3], count: length))
    }

    /// The value of an attribute, `nil` where it is not there; an empty namespace means none.
    public func value(_ local: StaticString, namespace: StaticString = "") -> UnsafeBufferPointer<UInt8>? {
        guard let fields else { return nil }
        for index in 0..<count {
            let field = fields + index * 5
            guard terminated(field[0]).isEqual(to: local), terminated(field[2]).isEqual(to: namespace) else { continue }
            guard let start = field[3], let end = field[4] else { return nil }
            return UnsafeBufferPointer(start: start, count: end - start)
        }
        return nil
    }
}

/// The bytes up to the NUL.
func terminated(_ text: UnsafePointer<UInt8>?) -> UnsafeBufferPointer<UInt8> {
    guard let text else { return UnsafeBufferPointer(start: nil, count: 0) }
    var count = 0
    while text[count] != 0 { count += 1 }
    return UnsafeBufferPointer(start: text, count: count)
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are those of a literal.
    public func isEqual(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        let other = text.utf8Start
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }
}
