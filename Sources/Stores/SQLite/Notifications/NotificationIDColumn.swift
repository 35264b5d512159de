// SPDX-License-Identifier: Apache-2.0

import Bus
import SQLite

// Banks' ids are mostly UUIDs, and the index on them is the dearest write: in their canonical form they are kept as
// 16 bytes, every other id as its text. SQLite holds no blob equal to a text, so no two ids become one.
extension Statement {
    /// Binds a bank's id.
    func bind(id: NotificationID, at index: Int32) {
        if let packed = PackedUUID.bytes(of: id.text) { bind(packed, at: index) } else { bind(id.text, at: index) }
    }

    /// A bank's id as it was bound.
    func notificationID(_ column: Int32) -> NotificationID {
        guard isBlob(column) else { return NotificationID(text(column)) }
        return NotificationID(PackedUUID.text(of: bytes(column)))
    }
}

/// The 16 bytes of a UUID in lower-case canonical form.
enum PackedUUID {
    /// `nil` where the text is anything but `8-4-4-4-12` lower-case hex digits.
    static func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.count == 36 else { return nil }
        var packed: [UInt8] = []
        packed.reserveCapacity(16)
        var high: UInt8?
        for (index, byte) in text.utf8.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = digit(byte) else { return nil }
            if let first = high { packed.append(first << 4 | digit) }
            high = high == nil ? digit : nil
        }
        return packed
    }

    static func text(of packed: [UInt8]) -> String {
        func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return MessageID(high: word(packed.prefix(8)), low: word(packed.dropFirst(8).prefix(8))).description
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
