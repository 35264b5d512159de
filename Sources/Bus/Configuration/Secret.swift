// SPDX-License-Identifier: Apache-2.0

/// A password, token or key that no log, message or dump ever shows.
public struct Secret: SettingsValue, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    private let value: String

    /// Wraps a secret.
    public init(_ value: String) { self.value = value }

    /// Hands the secret to the code that must send or compare it.
    public func reveal() -> String { value }

    /// Text that is never shown.
    public static var kind: SettingsKind { SettingsKind("secret", isSecret: true) }
    /// No secret.
    public static var placeholder: Self { Self("") }
    /// Takes the text as it stands.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) { value = scalar.text }
    /// Says that there is one, not which.
    public var settingsText: String { description }
    /// Says that there is one, not which.
    public var description: String { "(secret)" }
    /// Says that there is one, not which.
    public var debugDescription: String { description }
    /// Has no parts, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
