// SPDX-License-Identifier: Apache-2.0

/// Brings messages in and answers whoever sent them.
public protocol InboundAdapter: Module {
    /// The paths it will serve, so that two adapters that want the same one are found although one of them is faulty.
    ///
    /// May be left out: of adapters without fault ``routes`` are looked at.
    static func paths(_ settings: Settings) -> [String]

    /// What it serves on the bus's listeners.
    var routes: [HTTPRoute] { get }
    /// The apps it registers devices for.
    var apps: [AppDeclaration] { get }
}

extension InboundAdapter {
    /// Serves no path.
    public static func paths(_ settings: Settings) -> [String] { [] }
    /// Serves nothing over HTTP.
    public var routes: [HTTPRoute] { [] }
    /// Registers no devices.
    public var apps: [AppDeclaration] { [] }
}

/// An app that devices register for.
public struct AppDeclaration: Sendable, Equatable {
    /// The id the app calls itself by.
    public let id: String
    /// The system it runs on, where it runs on one only.
    public let platform: Platform?
    /// Its topic at APNs, where the channel's own is not the right one.
    public let bundle: String?

    /// Declares an app.
    public init(id: String, platform: Platform? = nil, bundle: String? = nil) {
        self.id = id
        self.platform = platform
        self.bundle = bundle
    }
}
