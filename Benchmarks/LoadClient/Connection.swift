// SPDX-License-Identifier: Apache-2.0

import Bus
import Glibc

/// One connection of a load client: what it asked, and what of the answer has come.
struct Connection {
    /// Where an answer lies in the input.
    struct Answer {
        let status: Int
        let bodyStart: Int
        let end: Int
    }

    var socket: Int32
    var request = 0
    var sentAt = MonotonicTime.distantPast
    var output: [UInt8] = []
    private var input = [UInt8](repeating: 0, count: 16_384)
    private var filled = 0

    init(socket: Int32) { self.socket = socket }

    /// Reads once; returns what `read` returned.
    mutating func receive() -> Int {
        if filled == input.count { input += [UInt8](repeating: 0, count: input.count) }
        let room = filled
        let count = input.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { read(socket, $0 + room, bytes.count - room) } ?? 0
        }
        if count > 0 { filled += count }
        return count
    }

    func body(_ answer: Answer) -> ArraySlice<UInt8> { input[answer.bodyStart..<answer.end] }

    mutating func drop(_ answer: Answer) {
        let rest = filled - answer.end
        input.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            memmove(base, base + answer.end, rest)
        }
        filled -= answer.end
    }

    /// Finds a whole answer at the front of the input.
    func takeAnswer() -> Answer? {
        input.withUnsafeBytes { bytes -> Answer? in
            let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(filled))
            guard let bodyStart = Self.end(of: "\r\n\r\n", in: head) else { return nil }
            let fields = UnsafeRawBufferPointer(rebasing: head.prefix(bodyStart))
            let status = fields.dropFirst(9).prefix(3).reduce(0) { $0 * 10 + Int($1) - 48 }
            let end = bodyStart + Self.contentLength(fields)
            return end <= filled ? Answer(status: status, bodyStart: bodyStart, end: end) : nil
        }
    }

    private static func contentLength(_ head: UnsafeRawBufferPointer) -> Int {
        guard let start = end(of: "\r\nContent-Length: ", in: head) else { return 0 }
        var length = 0
        for byte in head[start...] {
            guard (48...57).contains(byte) else { break }
            length = length * 10 + Int(byte) - 48
        }
        return length
    }

    private static func end(of needle: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
        let count = needle.utf8CodeUnitCount
        guard let base = bytes.baseAddress, bytes.count >= count else { return nil }
        let first = needle.utf8Start.pointee
        for position in 0...(bytes.count - count) where bytes[position] == first {
            if memcmp(base + position, needle.utf8Start, count) == 0 { return position + count }
        }
        return nil
    }
}
