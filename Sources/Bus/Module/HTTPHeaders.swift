// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The header fields of a request.
///
/// They are kept as one run of bytes and compared where they lie: a request has a dozen fields, and a handler
/// looks at two or three of them.
public struct HTTPHeaders: Sendable {
    /// `name:value\n`, one after the other; a name holds no colon and a value no line feed.
    private var bytes: [UInt8] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list of these fields, in this order.
    public init(_ fields: [(name: String, value: String)]) {
        for field in fields { add(name: Array(field.name.utf8), value: Array(field.value.utf8)) }
    }

    /// Adds a field; one that would break the framing of a header is left out.
    public mutating func add(name: some Collection<UInt8>, value: some Collection<UInt8>) {
        let isName = !name.isEmpty && !name.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "\n") }
        guard isName, !value.contains(UInt8(ascii: "\n")) else { return }
        bytes.append(contentsOf: name)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: value)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Adds a field from memory that is valid during the call; the hot path of a server.
    public mutating func add(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        let isName = !name.isEmpty && !name.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "\n") }
        guard isName, !value.contains(UInt8(ascii: "\n")) else { return }
        if bytes.isEmpty { bytes.reserveCapacity(512) }
        bytes.append(contentsOf: name)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: value)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The value of the first field of this name, whatever its capitals.
    public subscript(name: String) -> String? {
        var value: String?
        find(name) { found in
            value = String(decoding: found, as: UTF8.self)
            return false
        }
        return value
    }

    /// How many fields there are of this name, whatever its capitals.
    public func count(of name: String) -> Int {
        var count = 0
        find(name) { _ in
            count += 1
            return true
        }
        return count
    }

    /// Hands over the values of a name, until `body` has seen enough and says `false`.
    private func find(_ name: String, _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Bool) {
        var name = name
        name.withUTF8 { wanted in
            bytes.withUnsafeBufferPointer { bytes in
                var start = 0
                while let end = endOfLine(bytes, from: start) {
                    if matches(wanted, bytes, at: start, end: end) {
                        guard body(bytes[(start + wanted.count + 1)..<end]) else { return }
                    }
                    start = end + 1
                }
            }
        }
    }

    private func endOfLine(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard start < bytes.count, let first = bytes.baseAddress.map({ UnsafeRawPointer($0) }) else { return nil }
        return memchr(first + start, Int32(UInt8(ascii: "\n")), bytes.count - start).map {
            UnsafeRawPointer($0) - first
        }
    }

    private func matches(
        _ wanted: UnsafeBufferPointer<UInt8>,
        _ bytes: UnsafeBufferPointer<UInt8>,
        at start: Int,
        end: Int
    ) -> Bool {
        guard start + wanted.count < end, bytes[start + wanted.count] == UInt8(ascii: ":") else { return false }
        for index in wanted.indices where lowercased(bytes[start + index]) != lowercased(wanted[index]) {
            return false
        }
        return true
    }

    private func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
