// SPDX-License-Identifier: Apache-2.0

/// An id without what copying it out of other programs leaves at its ends.
///
/// Removed at both ends: XML's white space (space, tab, CR, LF), the no-break space, and the characters without width
/// (U+200B…U+200D, U+2060, the byte order mark). What is inside stays.
public func trimmed(_ text: String) -> String {
    guard let first = text.utf8.first, let last = text.utf8.last else { return text }
    if isPlain(first), isPlain(last) { return text }
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { !isBlank($0) }), let end = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[start...end])
}

/// A visible ASCII character: nothing to trim on its side.
private func isPlain(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x09, 0x0a, 0x0d, 0xa0, 0x200b...0x200d, 0x2060, 0xfeff: true
    default: false
    }
}
