// SPDX-License-Identifier: Apache-2.0

/// Shortens a text to at most `limit` bytes of UTF-8, between characters as people see them, and marks the cut.
///
/// A text that fits comes back as it is. Flags, families and letters with combining marks are kept whole or left out.
/// Where not even the mark fits, the text is cut without it.
public func truncate(_ text: String, toUTF8Bytes limit: Int, ellipsis: String = "…") -> String {
    guard text.utf8.count > limit else { return text }
    return truncate(text, toCost: limit, ellipsis: ellipsis) { _ in 1 }
}

/// Shortens a text until the sum of what its bytes of UTF-8 cost is at most `limit`.
///
/// It is for texts whose bytes take more room once they are written, for instance escaped in JSON.
public func truncate(
    _ text: String,
    toCost limit: Int,
    ellipsis: String = "…",
    of cost: (UInt8) -> Int
) -> String {
    func sum(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 + cost($1) } }
    guard sum(text.utf8) > limit else { return text }
    let mark = sum(ellipsis.utf8) <= limit ? ellipsis : ""
    var room = limit - sum(mark.utf8)
    var end = text.startIndex
    while end < text.endIndex {
        let next = text.index(after: end)
        room -= sum(text.utf8[end..<next])
        guard room >= 0 else { break }
        end = next
    }
    return text[..<end] + mark
}
