// SPDX-License-Identifier: Apache-2.0

/// An id without what copying it out of other programs leaves at its ends.
///
/// Removed at both ends: Unicode's white space, the characters without width (U+200B…U+200D, U+2060, the byte order
/// mark, U+180E), and the marks of writing direction (U+061C, U+200E…U+200F, U+202A…U+202E, U+2066…U+2069). What is
/// inside stays.
public func trimmed(_ text: String) -> String {
    guard let first = text.utf8.first, let last = text.utf8.last else { return text }
    if isPlain(first), isPlain(last) { return text }
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { !isBlank($0) }), let end = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[start...end])
}

/// The characters that ``trimmed(_:)`` removes, for a class in a regular expression of JSON Schema.
public let trimmedCharacters =
    #"\t\n\u000b\f\r \u0085\u00a0\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f\u2060\u2066-\u2069\u3000\ufeff"#

/// A visible ASCII character: nothing to trim on its side.
private func isPlain(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0d, 0x20, 0x85, 0xa0, 0x61c, 0x1680, 0x180e, 0x2000...0x200f, 0x2028...0x202f, 0x205f, 0x2060,
        0x2066...0x2069, 0x3000, 0xfeff:
        true
    default: false
    }
}
