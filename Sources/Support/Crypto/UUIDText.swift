// SPDX-License-Identifier: Apache-2.0

/// UUIDs as text, without Foundation.
public enum UUIDText {
    /// The canonical lower-case form, 8-4-4-4-12, of the first 16 bytes.
    public static func make(_ bytes: UnsafeRawBufferPointer) -> String {
        precondition(bytes.count >= 16, "a UUID has 16 bytes")
        return String(unsafeUninitializedCapacity: 36) { out in
            var place = 0
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    out[place] = UInt8(ascii: "-")
                    place += 1
                }
                Hex.write(bytes[index], to: out, at: place)
                place += 2
            }
            return 36
        }
    }

    /// The canonical lower-case form, 8-4-4-4-12, of 16 bytes.
    public static func make(_ bytes: [UInt8]) -> String { bytes.withUnsafeBytes { make($0) } }

    /// A UUID of version 8 (RFC 9562) that is the same whenever the integers and their order are.
    ///
    /// It is the beginning of the SHA-256 of the integers, big-endian, with version and variant put in.
    public static func derived(from integers: UInt64...) -> String {
        var digest = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: integers.count) { space in
            for (index, integer) in integers.enumerated() { space[index] = integer.bigEndian }
            return SHA256.hash(UnsafeRawBufferPointer(space))
        }
        return digest.withMutableBytes { bytes in
            bytes[6] = bytes[6] & 0x0f | 0x80
            bytes[8] = bytes[8] & 0x3f | 0x80
            return make(UnsafeRawBufferPointer(bytes))
        }
    }

    /// A random UUID of version 4.
    public static func random() -> String {
        var bytes = SecureRandom.bytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return make(bytes)
    }

    /// Says whether a text has the form 8-4-4-4-12 of hexadecimal digits in either case.
    public static func isCanonical(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { Hex.decode(String($0)) != nil }
    }
}
