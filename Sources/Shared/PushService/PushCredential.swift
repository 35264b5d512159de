// SPDX-License-Identifier: Apache-2.0

/// What proves to a provider who sends.
public struct PushCredential: Sendable, Equatable {
    /// The `authorization` header; `nil` where the connection proves it (a client certificate).
    public let authorization: String?
    /// Counts the credentials of this account from 1; 0 where there is only one, ever.
    public let version: Int

    /// Describes a credential.
    public init(authorization: String?, version: Int) {
        self.authorization = authorization
        self.version = version
    }

    /// That of a connection with a client certificate.
    public static let ofConnection = PushCredential(authorization: nil, version: 0)

    /// What there is to show.
    public enum Standing: Sendable, Equatable {
        case ready(PushCredential)
        /// One is asked for.
        case awaited
        case failed(reason: String)
    }
}
