// SPDX-License-Identifier: Apache-2.0

package import JSON

/// What a JSON value must be.
///
/// One description from which requests are checked and the OpenAPI document is written, so that the two cannot
/// come apart.
package indirect enum Shape: Sendable {
    /// A name somebody made up: trimmed before use, not blank, at most so many bytes.
    case identifier(longest: Int)
    /// Any text, at most so many bytes where that is said.
    case text(longest: Int? = nil, mayBeEmpty: Bool = true)
    /// A moment as RFC 3339 writes it.
    case moment
    /// One of these words.
    case word([String])
    /// A whole number.
    case integer(ClosedRange<Int64>)
    case boolean
    case list(Shape, atLeast: Int = 0)
    /// Values under names that are not known before.
    case map(Shape)
    case object(ObjectShape)
    /// One of several objects, which the word in one of their members tells apart.
    case variants(by: String, [ObjectShape])
}

/// The members of an object.
package struct ObjectShape: Sendable {
    /// The name in the OpenAPI document, where it has one of its own.
    package let name: String?
    package let members: [Member]
    /// Whether there may be others: in answers, so that a later release can say more.
    package let isOpen: Bool

    package init(_ name: String? = nil, isOpen: Bool = false, _ members: [Member]) {
        self.name = name
        self.isOpen = isOpen
        self.members = members
    }

    package subscript(name: String) -> Member? { members.first { $0.name == name } }

    /// An object with this member in place of the one of the same name.
    package func replacing(_ member: Member) -> ObjectShape {
        ObjectShape(isOpen: isOpen, members.map { $0.name == member.name ? member : $0 })
    }
}

/// A member of an object.
package struct Member: Sendable {
    package let name: String
    package let shape: Shape
    package let isRequired: Bool
    package let summary: String
    package let example: JSONValue?

    /// A member that must be there.
    package static func required(_ name: String, _ shape: Shape, _ summary: String, example: JSONValue? = nil) -> Member
    {
        Member(name: name, shape: shape, isRequired: true, summary: summary, example: example)
    }

    /// A member that may be left out, or be `null`, which is the same.
    package static func optional(_ name: String, _ shape: Shape, _ summary: String, example: JSONValue? = nil) -> Member
    {
        Member(name: name, shape: shape, isRequired: false, summary: summary, example: example)
    }
}
