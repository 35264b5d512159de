// SPDX-License-Identifier: Apache-2.0

public import Bus

/// Where a service is called, as a pipeline file says it.
public struct ServiceURL: SettingsValue, Equatable {
    /// The URL as written.
    public let text: String

    /// Whether TLS is spoken.
    public var isSecure: Bool { text.lowercased().hasPrefix("https://") }

    /// Whether the service is on this machine.
    public var isLocal: Bool { (try? URLAuthority(Self.authority(of: rest)))?.isLoopback ?? false }

    /// The path, still percent-encoded, without a query; empty where there is none.
    public var path: String { String(rest.drop { $0 != "/" && $0 != "?" }.prefix { $0 != "?" }) }

    /// The query behind the `?`; `nil` where there is none.
    public var query: String? {
        guard let mark = rest.firstIndex(of: "?") else { return nil }
        return String(rest[mark...].dropFirst())
    }

    private var rest: Substring { text.dropFirst(isSecure ? "https://".count : "http://".count) }

    // MARK: As a setting

    /// An address of HTTP.
    public static var kind: SettingsKind { SettingsKind("URL", pattern: "^(https?://.+|.*\\$\\{.*)$") }
    /// Nowhere.
    public static var placeholder: Self { Self(text: "http://localhost") }
    /// The URL.
    public var settingsText: String { text }

    /// Reads a URL; a user or a password in it is refused.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) {
        try Self.check(scalar.text)
        text = scalar.text
    }

    private init(text: String) { self.text = text }

    private static func authority(of rest: Substring) -> Substring { rest.prefix { $0 != "/" && $0 != "?" } }

    private static func check(_ url: String) throws(SettingsProblem) {
        let lower = url.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lower.hasPrefix) else {
            throw SettingsProblem("must begin with http:// or https://")
        }
        let rest = url.dropFirst(scheme.count)
        let authority = authority(of: rest)
        if authority.contains("@") { throw SettingsProblem("must hold no user or password") }
        if rest.contains("#") { throw SettingsProblem("must hold no '#': what follows it is never sent") }
        let isPlain = rest.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"\"<>\\".utf8.contains($0) }
        guard isPlain, !authority.isEmpty else {
            throw SettingsProblem("must be a URL: scheme, host, perhaps a port, and a path")
        }
        _ = try URLAuthority(authority)
        let escapes = rest.dropFirst(authority.count).split(separator: "%", omittingEmptySubsequences: false)
            .dropFirst()
        guard escapes.allSatisfy({ $0.prefix(2).count == 2 && $0.prefix(2).allSatisfy(\.isHexDigit) }) else {
            throw SettingsProblem("has a '%' that is not followed by two hexadecimal digits; write %25 for it")
        }
    }
}
