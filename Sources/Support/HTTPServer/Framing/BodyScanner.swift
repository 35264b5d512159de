// SPDX-License-Identifier: Apache-2.0

/// Finds the end of a body: by its length, or chunk by chunk and as strictly as RFC 9112 §7.1 allows.
struct BodyScanner {
    private enum State {
        case ambiguous, sized
        case size, sizeExtension, sizeLineFeed, data, dataReturn, dataLineFeed
        case trailerStart, trailer, trailerLineFeed, endLineFeed
        case ended
    }

    /// Of a chunk's line, and of all trailers.
    private static let longestLine = 256
    private static let longestTrailers = 4 << 10
    /// Digits of a chunk's size; far more than any body that is taken.
    private static let mostDigits = 12

    private var state: State
    private var remaining: Int
    private var digits = 0
    private var lineSize = 0
    private var isLast = false
    private var hasColon = false

    static func sized(_ length: Int) -> Self { Self(state: length == 0 ? .ended : .sized, remaining: length) }
    static func chunked() -> Self { Self(state: .size, remaining: 0) }

    /// One whose end could be seen in two places.
    static var ambiguous: Self { Self(state: .ambiguous, remaining: 0) }

    private init(state: State, remaining: Int) {
        self.state = state
        self.remaining = remaining
    }

    /// Whether nobody can say where the next request begins.
    var isAmbiguous: Bool { state == .ambiguous }

    /// Whether the last byte has come.
    var isEnded: Bool { state == .ended }

    /// Takes bytes; returns how many of them are the body's.
    mutating func take(_ bytes: Slice<UnsafeRawBufferPointer>) throws(FramingFault) -> Int {
        var index = bytes.startIndex
        while index < bytes.endIndex, state != .ended {
            if state == .sized || state == .data {
                let count = min(remaining, bytes.endIndex - index)
                remaining -= count
                index += count
                if remaining == 0 { state = state == .sized ? .ended : .dataReturn }
            } else {
                try take(bytes[index])
                index += 1
            }
        }
        return index - bytes.startIndex
    }

    private mutating func take(_ byte: UInt8) throws(FramingFault) {
        switch state {
        case .size, .sizeExtension: try takeSize(byte)
        case .sizeLineFeed:
            try expect(byte, Octet.lineFeed, then: isLast ? .trailerStart : .data)
            lineSize = 0
        case .dataReturn: try expect(byte, Octet.carriageReturn, then: .dataLineFeed)
        case .dataLineFeed:
            try expect(byte, Octet.lineFeed, then: .size)
            (digits, lineSize) = (0, 0)
        case .trailerStart, .trailer: try takeTrailer(byte)
        case .trailerLineFeed: try expect(byte, Octet.lineFeed, then: .trailerStart)
        case .endLineFeed: try expect(byte, Octet.lineFeed, then: .ended)
        case .ambiguous, .sized, .data, .ended: break
        }
    }

    private mutating func expect(_ byte: UInt8, _ wanted: UInt8, then next: State) throws(FramingFault) {
        guard byte == wanted else { throw .malformed("a chunk must end with CR and LF, as must the line before it") }
        state = next
    }

    private mutating func takeSize(_ byte: UInt8) throws(FramingFault) {
        lineSize += 1
        guard lineSize <= Self.longestLine else { throw .malformed("the line before a chunk is too long") }
        if byte == Octet.carriageReturn, digits > 0 {
            isLast = remaining == 0
            state = .sizeLineFeed
            return
        }
        if state == .sizeExtension {
            guard OctetKind.allows(byte, as: .value) else {
                throw .malformed("the line before a chunk holds a byte that it must not")
            }
            return
        }
        if byte == Octet.semicolon, digits > 0 {
            state = .sizeExtension
            return
        }
        guard let digit = Self.hex(byte), digits < Self.mostDigits else {
            throw .malformed("the size of a chunk must be a hexadecimal number")
        }
        remaining = remaining << 4 | digit
        digits += 1
    }

    private static func hex(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte - 0x30)
        case 0x41...0x46, 0x61...0x66: Int((byte | 0x20) - 0x57)
        default: nil
        }
    }

    private mutating func takeTrailer(_ byte: UInt8) throws(FramingFault) {
        lineSize += 1
        guard lineSize <= Self.longestTrailers else { throw .headTooLarge }
        if byte == Octet.carriageReturn, state == .trailerStart || hasColon {
            state = state == .trailerStart ? .endLineFeed : .trailerLineFeed
            hasColon = false
            return
        }
        if !hasColon, byte == Octet.colon, state == .trailer {
            hasColon = true
            return
        }
        guard OctetKind.allows(byte, as: hasColon ? .value : .token) else {
            throw .malformed("a field behind the last chunk is not well-formed")
        }
        state = .trailer
    }
}
