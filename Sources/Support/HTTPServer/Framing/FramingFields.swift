// SPDX-License-Identifier: Apache-2.0

/// The fields of a head that say for whom a request is and where it ends.
struct FramingFields {
    private enum Field { case other, host, length, coding }

    /// Names beyond this length are none of ours.
    static let longestName = 17
    private static let longestValue = 32

    var isVersion11 = false
    private var field = Field.other
    private var value: [UInt8] = []
    private var hosts = 0
    private var length: Int?
    /// What is wrong with a length by itself.
    private var lengthFault: FramingFault?
    private var isChunked = false
    /// Whether the end of the body could be seen in two places.
    private var isAmbiguous = false

    /// Whether the field that has begun is none of ours.
    var isPassing: Bool { field == .other }

    /// Forgets the fields of the last head.
    mutating func reset() {
        (hosts, length, lengthFault, isChunked, isAmbiguous) = (0, nil, nil, false, false)
    }

    /// A field of this name begins.
    mutating func begin(_ name: [UInt8]) {
        value.removeAll(keepingCapacity: true)
        field =
            switch name.count {
            case 4 where Self.equal(name, "host"): .host
            case 14 where Self.equal(name, "content-length"): .length
            case 17 where Self.equal(name, "transfer-encoding"): .coding
            default: .other
            }
    }

    private static func equal(_ name: some Collection<UInt8>, _ lowercased: StaticString) -> Bool {
        lowercased.withUTF8Buffer { wanted in
            zip(name, wanted).allSatisfy { $0 | ($0 >= 0x41 && $0 <= 0x5a ? 0x20 : 0) == $1 }
        }
    }

    /// Takes a byte of the field's value.
    mutating func take(_ byte: UInt8) throws(FramingFault) {
        switch field {
        case .other: return
        case .host:
            // Whitespace within, or a list: two hosts in one field.
            if byte == Octet.comma { throw .malformed("there must be one Host") }
        case .length, .coding: if value.count < Self.longestValue { value.append(byte) }
        }
    }

    /// The field ends.
    mutating func end() {
        switch field {
        case .other: return
        case .host: hosts += 1
        case .length:
            // libmicrohttpd answers these as well, but with two heads one in the other.
            let number = Self.number(trimmed)
            if number == nil { lengthFault = lengthFault ?? Self.fault(of: trimmed) }
            isAmbiguous = isAmbiguous || length != nil
            length = number ?? 0
        case .coding:
            isAmbiguous = isAmbiguous || isChunked || trimmed.count != 7 || !Self.equal(trimmed, "chunked")
            isChunked = true
        }
    }

    /// Without the blanks before it; libmicrohttpd takes those behind it for a part, so here they are one too.
    private var trimmed: ArraySlice<UInt8> { value[...].drop { $0 == Octet.blank || $0 == Octet.tab } }

    /// Digits and nothing else; 18 of them cannot overflow.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count <= 18 else { return nil }
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return number
    }

    private static func fault(of digits: ArraySlice<UInt8>) -> FramingFault {
        let isNumber = !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? .bodyTooLong : .malformed("Content-Length must be one whole number")
    }

    /// The head is complete: what follows it.
    func body() throws(FramingFault) -> BodyScanner {
        guard hosts <= 1, hosts == 1 || !isVersion11 else { throw .malformed("there must be one Host") }
        guard isVersion11 || !isChunked else { throw .malformed("chunks are HTTP/1.1, and this is HTTP/1.0") }
        if let lengthFault { throw lengthFault }
        if isAmbiguous || (isChunked && length != nil) { return .ambiguous }
        return isChunked ? .chunked() : .sized(length ?? 0)
    }
}
