// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The far end of a connection.
public struct HTTPPeer: Sendable {
    /// An address as the system keeps it; made into text only where someone asks.
    private enum Address: Sendable {
        case unknown
        case version4(UInt32)
        case version6(UInt64, UInt64)
    }

    private var raw: Address = .unknown
    /// Whether the connection is encrypted.
    public var isTLS: Bool
    /// The subject of the client's certificate: one was given, verification ran, and it passed.
    public var certificateSubject: String?

    /// Creates a peer without an address.
    public init(isTLS: Bool = false, certificateSubject: String? = nil) {
        self.isTLS = isTLS
        self.certificateSubject = certificateSubject
    }

    /// Takes over an IPv4 address in network byte order.
    public mutating func setAddress(version4 address: UInt32) { raw = .version4(address) }

    /// Takes over the two halves of an IPv6 address as they lie in memory.
    public mutating func setAddress(version6 high: UInt64, _ low: UInt64) { raw = .version6(high, low) }

    /// The numeric address, for instance `127.0.0.1` or `::1`; empty where it is unknown.
    public var address: String {
        switch raw {
        case .unknown: ""
        case .version4(var number): text(AF_INET, &number)
        case .version6(let high, let low): version6Text([high, low])
        }
    }

    /// Whom the caller is counted as: the address, or of IPv6 the network of 64 bits, whose machines are one customer's.
    public var network: String {
        switch raw {
        case .unknown, .version4: address
        case .version6(let high, _): version6Text([high, 0]) + "/64"
        }
    }

    private func version6Text(_ halves: [UInt64]) -> String {
        halves.withUnsafeBytes { text(AF_INET6, $0.baseAddress) }
    }

    private func text(_ family: Int32, _ address: UnsafeRawPointer?) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let address, inet_ntop(family, address, buffer.baseAddress, socklen_t(INET6_ADDRSTRLEN)) != nil,
                let start = buffer.baseAddress
            else { return "" }
            return String(cString: start)
        }
    }
}
