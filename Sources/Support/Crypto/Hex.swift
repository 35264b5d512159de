// SPDX-License-Identifier: Apache-2.0

/// Hexadecimal text.
public enum Hex {
    /// Two lower-case digits for each byte.
    public static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { out in
            for (index, byte) in bytes.enumerated() { write(byte, to: out, at: index * 2) }
            return bytes.count * 2
        }
    }

    /// Two lower-case digits for each byte.
    public static func encode(_ bytes: [UInt8]) -> String { bytes.withUnsafeBytes { encode($0) } }

    /// The bytes of digits in either case; `nil` for an odd number of digits or anything else in the text.
    public static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for digit in text.utf8 {
            guard let value = value(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    @inline(__always)
    static func write(_ byte: UInt8, to out: UnsafeMutableBufferPointer<UInt8>, at index: Int) {
        out[index] = digit(byte >> 4)
        out[index + 1] = digit(byte & 15)
    }

    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 { value &+ (value < 10 ? 0x30 : 0x57) }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }
}
