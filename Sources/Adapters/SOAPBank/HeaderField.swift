// SPDX-License-Identifier: Apache-2.0

import XML

/// An element of the Header that holds text.
enum HeaderField: Equatable {
    case tokenUser, tokenPassword, tokenNonce, tokenCreated
    case created, expires
    case property(Addressing.Property)
    /// The address of an endpoint.
    case address(Addressing.Property)

    /// A part of a UsernameToken.
    init?(ofToken name: XMLName) {
        if name.isLocal("Username") {
            self = .tokenUser
        } else if name.isLocal("Password") {
            self = .tokenPassword
        } else if name.isLocal("Nonce") {
            self = .tokenNonce
        } else if name.isLocal("Created") {
            self = .tokenCreated
        } else {
            return nil
        }
    }

    /// A part of a Timestamp.
    init?(ofTimestamp name: XMLName) {
        if name.isLocal("Created") {
            self = .created
        } else if name.isLocal("Expires") {
            self = .expires
        } else {
            return nil
        }
    }

    /// The name in a fault.
    var path: String {
        switch self {
        case .tokenUser: "UsernameToken.Username"
        case .tokenPassword: "UsernameToken.Password"
        case .tokenNonce: "UsernameToken.Nonce"
        case .tokenCreated: "UsernameToken.Created"
        case .created: "Timestamp.Created"
        case .expires: "Timestamp.Expires"
        case .property(let property): "\(property.name)"
        case .address(let property): "\(property.name).Address"
        }
    }
}
