// SPDX-License-Identifier: Apache-2.0

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
    var sentAt: UInt64 = 0
    var output: [UInt8] = []
    private var input = [UInt8](repeating: 0, count: 16_384)
    private var filled = 0

    init(socket: Int32) { self.socket = socket }

    /// Reads once; returns what `read` returned.
    mutating func receive() -> Int {
        if filled == input.count { input += [UInt8](repeating: 0, count: input.count) }
        let room = filled
        let count = input.withUnsafeMutableBytes { read(socket, $0.baseAddress! + room, $0.count - room) }
        if count > 0 { filled += count }
        return count
    }

    func body(_ answer: Answer) -> ArraySlice<UInt8> { input[answer.bodyStart..<answer.end] }

    mutating func drop(_ answer: Answer) {
        input.withUnsafeMutableBytes { bytes in
            memmove(bytes.baseAddress!, bytes.baseAddress! + answer.end, filled - answer.end)
        }
        filled -= answer.end
    }

    /// Finds a whole answer at the front of the input.
    func takeAnswer() -> Answer? {
        input.withUnsafeBytes { bytes -> Answer? in
            let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(filled))
            guard let base = head.baseAddress, let blank = memmem(base, head.count, "\r\n\r\n", 4) else { return nil }
            let bodyStart = blank - UnsafeMutableRawPointer(mutating: base) + 4
            let status = head.dropFirst(9).prefix(3).reduce(0) { $0 * 10 + Int($1) - 48 }
            let end = bodyStart + Self.contentLength(base, bodyStart)
            return end <= filled ? Answer(status: status, bodyStart: bodyStart, end: end) : nil
        }
    }

    private static func contentLength(_ head: UnsafeRawPointer, _ count: Int) -> Int {
        let name = "\r\nContent-Length: "
        guard let found = memmem(head, count, name, name.utf8.count) else { return 0 }
        var digit = UnsafeRawPointer(found).advanced(by: name.utf8.count)
        var length = 0
        while case let byte = digit.load(as: UInt8.self), byte >= 48, byte <= 57 {
            length = length * 10 + Int(byte) - 48
            digit += 1
        }
        return length
    }
}
