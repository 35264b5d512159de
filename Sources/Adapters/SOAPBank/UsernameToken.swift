// SPDX-License-Identifier: Apache-2.0

import XML

/// A WS-Security UsernameToken as it came (OASIS UsernameToken Profile 1.0).
struct UsernameToken: Equatable {
    static let namespace: StaticString =
        "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"

    var username: String?
    var password: String?
    /// Whether `password` is a digest of nonce, time and password.
    var isDigest = false
    var nonce: String?
    var created: String?
}
