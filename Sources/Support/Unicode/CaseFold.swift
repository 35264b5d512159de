// SPDX-License-Identifier: Apache-2.0

import CUTF8Proc
import Glibc

/// The one spelling of a text for comparing without regard to case: NFC, full case folding, NFC again.
///
/// It is Unicode's caseless match, independent of any locale: `ß` and `ss` fold alike, as do `σ` and `ς`; Turkish
/// `ı` stays what it is and `İ` becomes `i` with a dot above. Folding a folded text changes nothing. The result is
/// stored and compared as bytes, so the function must not change: it follows the Unicode version of libutf8proc, and
/// Unicode promises that foldings of assigned characters are stable.
public func caseFold(_ text: String) -> String {
    var text = text
    if let folded = text.withUTF8(foldASCII) { return folded }
    // Composed first: some foldings (U+0345) depend on the order of marks, which composing makes canonical.
    let composed = mapped(Array(text.utf8), UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
    let options = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue
    return String(decoding: mapped(composed, options), as: UTF8.self)
}

/// The folded text where all of it is ASCII, else `nil`.
private func foldASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var seen: UInt8 = 0
    for byte in bytes { seen |= byte }
    guard seen < 0x80 else { return nil }
    return String(unsafeUninitializedCapacity: bytes.count) { out in
        for (index, byte) in bytes.enumerated() {
            out[index] = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
        }
        return bytes.count
    }
}

/// What libutf8proc makes of UTF-8 that is known to be valid.
private func mapped(_ bytes: [UInt8], _ options: UInt32) -> [UInt8] {
    var result: UnsafeMutablePointer<UInt8>?
    let length = utf8proc_map(bytes, bytes.count, &result, utf8proc_option_t(rawValue: options))
    defer { free(result) }
    guard length >= 0, let result else { preconditionFailure("a Swift string is valid, so only memory can be short") }
    return Array(UnsafeBufferPointer(start: result, count: length))
}
