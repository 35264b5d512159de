// SPDX-License-Identifier: Apache-2.0

import Crypto

extension PushStandIn {
    /// Starts a stand-in for FCM.
    static func fcm(
        port: UInt16,
        keys: SandboxKeys,
        book: AccessTokenBook,
        options: SandboxOptions
    ) throws -> PushStandIn {
        try PushStandIn(
            port: port,
            keys: keys,
            desk: FCMDesk(book: book, capacity: options.recordLimit),
            streams: 100,
            name: "sandbox-fcm"
        )
    }

    /// Starts a stand-in for Google's token endpoint.
    static func oauth(
        port: UInt16,
        keys: SandboxKeys,
        account: ServiceAccountKey,
        book: AccessTokenBook,
        options: SandboxOptions
    ) throws -> PushStandIn {
        try PushStandIn(
            port: port,
            keys: keys,
            desk: OAuthDesk(key: account.key.verifyingKey, book: book, capacity: options.recordLimit),
            streams: 100,
            name: "sandbox-oauth"
        )
    }
}
