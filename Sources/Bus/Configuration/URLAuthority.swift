// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The host and the port of a URL, read strictly: what another reader might take for another host is refused.
public struct URLAuthority: Sendable, Hashable {
    /// A name or an address, without brackets.
    public let host: String
    /// The port, where one is written.
    public let port: UInt16?

    /// Reads what stands between a URL's `//` and its path.
    ///
    /// - Throws: ``SettingsProblem``, which goes on after the option's name.
    public init(_ text: some StringProtocol) throws(SettingsProblem) {
        if text.contains("@") { throw SettingsProblem("must hold no user or password") }
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else {
                throw SettingsProblem("has a '[' without a ']': an IPv6 address stands between the two, as in [::1]")
            }
            host = String(text[..<end].dropFirst())
            rest = Substring(text[end...].dropFirst())
            guard Self.isAddress(host, AF_INET6) else {
                throw SettingsProblem("has no IPv6 address between '[' and ']'")
            }
        } else {
            let name = text.prefix { $0 != ":" }
            host = String(name)
            rest = Substring(text.dropFirst(name.count))
            try Self.check(name: host)
        }
        port = try Self.port(rest)
    }

    /// Whether it is this machine: `localhost`, `127.…` or `::1`.
    public var isLoopback: Bool { Self.isLoopback(host) }

    /// Whether a host is this machine; a name that only begins like such an address is not.
    public static func isLoopback(_ host: String) -> Bool {
        var version4 = in_addr()
        if inet_pton(AF_INET, host, &version4) == 1 { return UInt32(bigEndian: version4.s_addr) >> 24 == 127 }
        var version6 = in6_addr()
        guard inet_pton(AF_INET6, host, &version6) == 1 else { return host.lowercased() == "localhost" }
        let bytes = withUnsafeBytes(of: version6) { Array($0) }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
        return isMapped ? bytes[12] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    private static func isAddress(_ host: String, _ family: Int32) -> Bool {
        var space = in6_addr()
        return inet_pton(family, host, &space) == 1
    }

    private static func check(name: String) throws(SettingsProblem) {
        guard !name.isEmpty else { throw SettingsProblem("must name a host after //") }
        var labels = name.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        let isName = name.utf8.count <= 253 && labels.allSatisfy { (1...63).contains($0.utf8.count) && isLabel($0) }
        guard isName else { throw SettingsProblem("has a host that is neither a name nor an address") }
        // The last part of a name is never a number: 127.1 and 0x7f.1 are addresses to some programs.
        guard labels.last?.utf8.first.map({ (0x30...0x39).contains($0) }) == true else { return }
        guard isAddress(name, AF_INET) else {
            throw SettingsProblem(
                "has a host that looks like an IPv4 address and is none; it has four numbers up to 255"
            )
        }
    }

    private static func isLabel(_ label: Substring) -> Bool {
        label.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    private static func port(_ rest: Substring) throws(SettingsProblem) -> UInt16? {
        if rest.isEmpty { return nil }
        let digits = rest.dropFirst()
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard rest.first == ":", isNumber, let port = UInt16(digits), port > 0 else {
            throw SettingsProblem("must have a port from 1 to 65535 after the host's colon")
        }
        return port
    }
}
