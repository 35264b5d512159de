// SPDX-License-Identifier: Apache-2.0

import XML

/// The two versions of SOAP; a request is answered in its own.
enum SOAPVersion: Sendable {
    case v11
    case v12

    static let namespace11: StaticString = "http://schemas.xmlsoap.org/soap/envelope/"
    static let namespace12: StaticString = "http://www.w3.org/2003/05/soap-envelope"

    /// The namespace of the envelope and its parts.
    var namespace: StaticString { self == .v11 ? Self.namespace11 : Self.namespace12 }

    /// The media type of an answer.
    var contentType: String {
        self == .v11 ? "text/xml; charset=utf-8" : "application/soap+xml; charset=utf-8"
    }

    /// The version of an envelope, by its namespace.
    init?(envelope name: XMLName) {
        if name.isIn(Self.namespace11) {
            self = .v11
        } else if name.isIn(Self.namespace12) {
            self = .v12
        } else {
            return nil
        }
    }
}
