// SPDX-License-Identifier: Apache-2.0

/// Writes values one after the other: numbers in groups of seven bits, texts behind their length.
package struct CompactWriter {
    /// What was written.
    package private(set) var bytes: [UInt8] = []

    /// Creates a writer with room for so many bytes.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// Writes a number, small ones in one byte.
    package mutating func append(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes a number that may be negative; small ones of both signs in one byte.
    package mutating func append(signed value: Int64) {
        append(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// Writes a text.
    package mutating func append(_ text: String) {
        append(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }
}

/// Stored bytes that are not what their writer makes: a damaged file, or another release's.
package struct DamagedBytes: Error, Equatable {
    /// Names the damage.
    package init() {}
}

/// Reads what ``CompactWriter`` wrote; whatever the bytes are, it throws and never traps.
package struct CompactReader {
    private let bytes: [UInt8]
    private var position = 0

    /// Reads from the start of `bytes`.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether everything was read.
    package var isAtEnd: Bool { position == bytes.count }

    /// Reads one byte.
    package mutating func byte() throws(DamagedBytes) -> UInt8 {
        guard position < bytes.count else { throw DamagedBytes() }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a number.
    package mutating func number() throws(DamagedBytes) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let next = try byte()
            guard shift < 63 || next <= 1 else { throw DamagedBytes() }
            value |= UInt64(next & 0x7f) << shift
            if next < 0x80 { return value }
        }
        throw DamagedBytes()
    }

    /// Reads a number that may be negative.
    package mutating func signed() throws(DamagedBytes) -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Reads a text; it must be UTF-8.
    package mutating func text() throws(DamagedBytes) -> String {
        let count = try number()
        guard count <= UInt64(bytes.count - position) else { throw DamagedBytes() }
        let end = position + Int(count)
        guard let text = String(validating: bytes[position..<end], as: UTF8.self) else { throw DamagedBytes() }
        position = end
        return text
    }

    /// Passes over a text; returns whether it was these bytes.
    package mutating func skipText(equal wanted: [UInt8]) throws(DamagedBytes) -> Bool {
        let count = try number()
        guard count <= UInt64(bytes.count - position) else { throw DamagedBytes() }
        let end = position + Int(count)
        defer { position = end }
        return wanted.count == Int(count) && bytes[position..<end].elementsEqual(wanted)
    }
}
