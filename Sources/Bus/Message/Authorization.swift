// SPDX-License-Identifier: Apache-2.0

/// Who agrees to a new registration.
public enum Authorization: String, Sendable, CaseIterable {
    /// Nobody is asked.
    case open = "none"
    /// The bank: it knows of an earlier agreement, or has its customer prove himself with a code.
    case bank
    /// The bus sends a code to the user's phone.
    case smsCode = "sms_code"
}

extension Authorization: SettingsValue {}

/// The code that a registration waits for, as the user typed it.
public struct Verification: Sendable, Equatable {
    /// The app, where the caller names it.
    public var app: String?
    /// Whose notifications are wanted.
    public var user: Recipient
    /// The device's id.
    public var deviceID: String
    /// The code; no log or error ever shows it.
    public var code: String

    /// Describes an answer to the wish for a code.
    public init(app: String?, user: Recipient, deviceID: String, code: String) {
        self.app = app
        self.user = user
        self.deviceID = deviceID
        self.code = code
    }
}
