// SPDX-License-Identifier: Apache-2.0

/// Shortens a text to at most `limit` bytes of UTF-8, between characters as people see them, and marks the cut.
///
/// A text that fits comes back as it is. Flags, families and letters with combining marks are kept whole or left out.
/// Where not even the mark fits, the text is cut without it.
public func truncate(_ text: String, toUTF8Bytes limit: Int, ellipsis: String = "…") -> String {
    guard text.utf8.count > limit else { return text }
    let mark = ellipsis.utf8.count <= limit ? ellipsis : ""
    var room = limit - mark.utf8.count
    var end = text.startIndex
    while end < text.endIndex {
        let next = text.index(after: end)
        room -= text.utf8.distance(from: end, to: next)
        guard room >= 0 else { break }
        end = next
    }
    return text[..<end] + mark
}
