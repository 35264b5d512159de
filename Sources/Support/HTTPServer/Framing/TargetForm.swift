// SPDX-License-Identifier: Apache-2.0

/// Which of RFC 9112's forms a request's target has (§3.2).
enum TargetForm {
    /// `/path?query`.
    case path
    /// `*`, whole.
    case asterisk
    /// `scheme://host/path`, of whose `://` so many bytes have come.
    case absolute(Int)

    static let fault = FramingFault.malformed("the request's target must begin with /")
    private static let mark: StaticString = "://"

    /// Whether whatever follows is a part of it.
    var isPath: Bool { if case .path = self { true } else { false } }

    /// Whether the target may end here.
    var isComplete: Bool {
        switch self {
        case .path, .asterisk: true
        case .absolute(let count): count == Self.mark.utf8CodeUnitCount
        }
    }

    mutating func take(_ byte: UInt8, isFirst: Bool) throws(FramingFault) {
        if isFirst {
            switch byte {
            case Octet.slash: self = .path
            case UInt8(ascii: "*"): self = .asterisk
            case _ where (0x61...0x7a).contains(byte | 0x20): self = .absolute(0)
            default: throw Self.fault
            }
            return
        }
        switch self {
        case .path: break
        case .asterisk: throw Self.fault
        case .absolute(let count) where count < Self.mark.utf8CodeUnitCount:
            let wanted = Self.mark.withUTF8Buffer { $0[count] }
            if byte == wanted { self = .absolute(count + 1) } else if count > 0 { throw Self.fault }
        case .absolute: break
        }
    }
}
