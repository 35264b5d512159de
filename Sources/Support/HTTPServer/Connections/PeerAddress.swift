// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD
import Glibc

/// Whom a connection is counted for: an IPv4 address, or the 64 bits that an IPv6 network's machines share.
enum PeerAddress: Hashable, Sendable {
    case unknown
    case version4(UInt32)
    case version6(UInt64)

    /// Reads what `accept` left.
    init(_ address: sockaddr_storage) {
        let family = address.ss_family
        var address = address
        self = withUnsafeBytes(of: &address) { bytes in
            switch Int32(family) {
            case AF_INET: .version4(bytes.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr)
            // The address follows family, port and flow label.
            case AF_INET6: .version6(bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            default: .unknown
            }
        }
    }

    /// Whether it is this machine's own; a proxy there speaks for many.
    var isLoopback: Bool {
        switch self {
        case .unknown: true
        case .version4(let number): UInt32(bigEndian: number) >> 24 == 127
        // ::1, of which these are the first half; nobody else has it.
        case .version6(let half): half == 0
        }
    }
}
