// SPDX-License-Identifier: Apache-2.0

public import Bus

extension ListenAddress: SettingsValue {
    /// An address and a port.
    public static var kind: SettingsKind { SettingsKind("address and port") }
    /// A port of the system's choice.
    public static var placeholder: Self { loopback(0) }

    /// Reads an address and a port; `localhost` is 127.0.0.1.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) {
        let text = scalar.text.hasPrefix("localhost:") ? "127.0.0.1\(scalar.text.dropFirst(9))" : scalar.text
        do throws(HTTPServerError) { try self.init(text) } catch {
            throw SettingsProblem(
                "must be an IP address and a port, like 127.0.0.1:8080, not \(scalar.quoted)\(Self.advice(scalar))"
            )
        }
    }

    /// The address as it is written in a configuration.
    public var settingsText: String { description }

    /// A port that only this machine reaches.
    public static func loopback(_ port: UInt16) -> Self {
        guard let address = try? Self("127.0.0.1:\(port)") else { preconditionFailure("this is an address") }
        return address
    }

    /// Whether only this machine reaches it.
    public var isLoopback: Bool { URLAuthority.isLoopback(host) }

    private static func advice(_ scalar: SettingsScalar) -> String {
        if scalar.isFromVariable { return "" }
        if UInt16(scalar.text) != nil { return "; did you mean \"127.0.0.1:\(scalar.text)\"?" }
        if let port = Int(scalar.text.split(separator: ":").last ?? ""), !(0...65_535).contains(port) {
            return "; a port is 65535 at most"
        }
        guard let colon = scalar.text.lastIndex(of: ":"), scalar.text[..<colon].contains(":") else { return "" }
        return "; an IPv6 address stands in brackets, as in \"[::1]:8080\""
    }
}
