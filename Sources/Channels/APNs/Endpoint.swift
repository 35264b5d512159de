// SPDX-License-Identifier: Apache-2.0

public import Bus
public import PushService

/// Where APNs, or what stands in for it, is reached.
public struct Endpoint: SettingsValue, Hashable {
    /// Apple's production service.
    public static let production = Endpoint("production", BaseURL(host: "api.push.apple.com"))
    /// Apple's service for development builds.
    public static let sandbox = Endpoint("sandbox", BaseURL(host: "api.sandbox.push.apple.com"))

    /// The value as one would write it in a file.
    public let settingsText: String
    /// The base URL; `/3/device/…` comes after it.
    public let base: BaseURL

    private init(_ settingsText: String, _ base: BaseURL) {
        self.settingsText = settingsText
        self.base = base
    }

    /// `production`, `sandbox` or a base URL.
    public static var kind: SettingsKind {
        SettingsKind("production, sandbox or URL", pattern: "^(production|sandbox|\(BaseURL.pattern))$")
    }
    /// Apple's production service.
    public static var placeholder: Self { production }

    /// Reads a name or a base URL; clear text is for stand-ins on this machine only.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) {
        switch scalar.text {
        case "production": self = .production
        case "sandbox": self = .sandbox
        default:
            guard let base = try BaseURL.parse(scalar.text) else { throw Self.problem(scalar) }
            self.init(scalar.text, base)
        }
    }

    private static func problem(_ scalar: SettingsScalar) -> SettingsProblem {
        let advice = scalar.isFromVariable ? "" : Suggestion.clause(for: scalar.text, in: ["production", "sandbox"])
        return SettingsProblem("must be production, sandbox or a URL, not \(scalar.quoted)\(advice)")
    }
}
