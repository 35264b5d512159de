// SPDX-License-Identifier: Apache-2.0

/// The systems a phone runs, which decide the push provider.
public enum Platform: String, Sendable, CaseIterable {
    case android = "ANDROID"
    case ios = "IOS"
}

/// An app's wish to receive a user's notifications on a device.
public struct Registration: Sendable, Equatable {
    /// The app, as the pipeline declares it.
    public var app: String
    /// Whose notifications are wanted.
    public var user: Recipient
    /// The bank's number of that customer, for the bank's own checks.
    public var bankClientID: String?
    /// The device's id, unique within an app.
    public var deviceID: String
    /// What the device runs.
    public var platform: Platform
    /// Where the provider delivers to, in the provider's form: lower-case hex for IOS, opaque for ANDROID.
    public var token: String
    /// The app's version.
    public var appVersion: String?
    /// The system's version.
    public var osVersion: String?
    /// The user's language.
    public var language: String?
    /// The user's phone number, for SMS.
    public var phone: String?
    /// Labels for segmentation.
    public var tags: [String]
    /// Who asks.
    public var credential: Credential
    /// Who must agree to it, where it is a new one.
    public var authorization = Authorization.open
    /// What a text message with a code says; ``codePlaceholder`` stands for the code.
    public var codeText = Registration.codePlaceholder
    /// Whether the user's subscriptions on other devices end when this one begins; a stage's wish.
    public var endsOtherDevices = false

    /// What stands for the code in ``codeText``.
    public static let codePlaceholder = "{code}"

    /// Describes a wish to register.
    public init(
        app: String,
        user: Recipient,
        bankClientID: String? = nil,
        deviceID: String,
        platform: Platform,
        token: String,
        appVersion: String? = nil,
        osVersion: String? = nil,
        language: String? = nil,
        phone: String? = nil,
        tags: [String] = [],
        credential: Credential = .none
    ) {
        self.app = app
        self.user = user
        self.bankClientID = bankClientID
        self.deviceID = deviceID
        self.platform = platform
        self.token = token
        self.appVersion = appVersion
        self.osVersion = osVersion
        self.language = language
        self.phone = phone
        self.tags = tags
        self.credential = credential
    }
}

/// Who makes a call of the mobile API.
public enum Credential: Sendable, Equatable {
    /// Nobody known.
    case none
    /// Somebody who presents this secret, as a subscriber does.
    case secret(String)
    /// The bank's own front server, which may call for any device.
    case trusted
}

/// A new token for a device that is registered.
public struct TokenUpdate: Sendable, Equatable {
    /// The app, where the caller names it; otherwise the secret tells.
    public var app: String?
    /// The device's id.
    public var deviceID: String
    /// The new token, as the app sent it: its form depends on the platform, which the subscription knows.
    public var token: String
    /// Who asks.
    public var credential: Credential

    /// Describes a token update.
    public init(app: String?, deviceID: String, token: String, credential: Credential) {
        self.app = app
        self.deviceID = deviceID
        self.token = token
        self.credential = credential
    }
}

/// The end of subscriptions.
public enum Unregistration: Sendable, Equatable {
    /// A bank ends all of a user's subscriptions.
    case user(Recipient)
    /// An app ends one device's subscription.
    case device(app: String?, deviceID: String, credential: Credential)
}

extension Platform: SettingsValue {}
