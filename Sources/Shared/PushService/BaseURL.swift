// SPDX-License-Identifier: Apache-2.0

public import Bus

/// Where a push provider, or what stands in for it, is reached.
public struct BaseURL: Sendable, Hashable {
    /// A host name or an address.
    public let host: String
    /// The port.
    public let port: UInt16
    /// Whether TLS is spoken, as always beyond this machine.
    public let isSecure: Bool
    /// What comes before the provider's own path; empty, or a path without a slash at its end.
    public let path: String

    /// Names a provider's own service.
    public init(host: String) { self.init(host: host, port: 443, isSecure: true, path: "") }

    private init(host: String, port: UInt16, isSecure: Bool, path: String) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
        self.path = path
    }

    /// What such a URL looks like, for the JSON Schema.
    public static let pattern = "https?://.+|.*\\$\\{.*"

    /// Reads a URL; clear text is for stand-ins on this machine only.
    ///
    /// - Returns: `nil` where the text does not begin as a URL does.
    /// - Throws: what is wrong with it.
    public static func parse(_ text: String) throws(SettingsProblem) -> BaseURL? {
        guard let (isSecure, rest) = scheme(text) else { return nil }
        guard !rest.contains(where: { "?#@ ".contains($0) }), rest.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw SettingsProblem("must be a base URL: scheme, host, perhaps a port and a path, and nothing else")
        }
        let authority = rest.prefix { $0 != "/" }
        var path = rest.dropFirst(authority.count)
        while path.last == "/" { path.removeLast() }
        let server = try URLAuthority(authority)
        guard isSecure || server.isLoopback else {
            throw SettingsProblem("must begin with https://: http:// is allowed on this machine only, as 127.0.0.1")
        }
        let port = server.port ?? (isSecure ? 443 : 80)
        return Self(host: server.host, port: port, isSecure: isSecure, path: String(path))
    }

    private static func scheme(_ text: String) -> (isSecure: Bool, rest: Substring)? {
        if text.lowercased().hasPrefix("https://") { return (true, text.dropFirst(8)) }
        if text.lowercased().hasPrefix("http://") { return (false, text.dropFirst(7)) }
        return nil
    }
}
