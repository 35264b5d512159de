// SPDX-License-Identifier: Apache-2.0

public import Bus

extension BaseURL: SettingsValue {
    /// A base URL.
    public static var kind: SettingsKind { SettingsKind("base URL", pattern: "^(\(pattern))$") }
    /// No provider's.
    public static var placeholder: Self { Self(host: "localhost") }

    /// The URL as one would write it in a file.
    public var settingsText: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let isUsual = port == (isSecure ? 443 : 80)
        return (isSecure ? "https://" : "http://") + name + (isUsual ? "" : ":\(port)") + path
    }

    /// Reads a base URL.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) {
        guard let url = try Self.parse(scalar.text) else {
            throw SettingsProblem("must be a URL that begins with https://, not \(scalar.quoted)")
        }
        self = url
    }
}
