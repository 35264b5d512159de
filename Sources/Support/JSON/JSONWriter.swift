// SPDX-License-Identifier: Apache-2.0

/// Writes one JSON text into a byte buffer, without an intermediate value.
///
/// The caller keeps to the grammar (a key before each value of an object, every begin with its end); commas are put
/// in by the writer. Made for the hot path: nothing is allocated but the buffer.
public struct JSONWriter {
    /// What has been written.
    public private(set) var bytes: [UInt8]
    private var needsComma = false

    /// Creates a writer with room for `capacity` bytes.
    public init(capacity: Int = 512) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// The written bytes as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Forgets what was written and keeps the buffer.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Begins an object.
    public mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Ends an object.
    public mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Begins a list.
    public mutating func beginArray() { open(UInt8(ascii: "[")) }

    /// Ends a list.
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a member's key that needs no escaping.
    public mutating func key(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a member's key from outside the program.
    public mutating func key(text key: String) {
        separate()
        quote(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a text.
    public mutating func string(_ text: String) {
        separate()
        quote(text)
    }

    /// Writes a text that needs no escaping.
    public mutating func string(static text: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a whole number.
    public mutating func integer(_ number: some BinaryInteger) {
        separate()
        let wide = Int64(number)
        if wide < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(wide.magnitude)
    }

    /// Writes a number; JSON has no infinities, so those and NaN become `null`.
    public mutating func number(_ number: Double) {
        separate()
        bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

    /// Writes `null`.
    public mutating func null() { literal("null") }

    /// Writes bytes that already are a JSON value.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    private mutating func literal(_ word: StaticString) {
        separate()
        bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func digits(_ number: UInt64) {
        if number < 10 { return bytes.append(0x30 + UInt8(number)) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { space in
            var place = 20
            var rest = number
            while rest > 0 {
                place -= 1
                space[place] = 0x30 + UInt8(rest % 10)
                rest /= 10
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: space[place...]))
        }
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes.appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }
}
