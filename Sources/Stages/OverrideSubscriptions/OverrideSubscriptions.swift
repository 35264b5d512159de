// SPDX-License-Identifier: Apache-2.0

public import Bus

/// Lets a new device end the subscriptions of its user's other devices.
///
/// It marks the registration; the ledger ends them in the transaction that keeps the new one, so that of two devices
/// registering at once exactly one remains.
public struct OverrideSubscriptions: Stage {
    /// The name in pipeline files.
    public static let name = "override_subscriptions"
    /// What it is for.
    public static let summary = "A new device ends the user's other devices."

    /// What an integrator may set.
    public struct Settings: ModuleSettings {
        let isEnabled: Bool

        /// Reads the settings.
        public init(from reader: inout SettingsReader) {
            isEnabled = reader.optional("enabled", "Whether a new device ends the others.", default: false)
        }
    }

    private let isEnabled: Bool

    /// Creates the stage.
    public init(settings: Settings, context: ModuleContext) { isEnabled = settings.isEnabled }

    /// Marks registrations.
    public func process(_ message: Message) async -> StageResult {
        guard isEnabled, case .registration(var registration) = message else { return .proceed(message) }
        registration.endsOtherDevices = true
        return .proceed(.registration(registration))
    }
}
