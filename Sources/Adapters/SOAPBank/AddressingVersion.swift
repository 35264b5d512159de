// SPDX-License-Identifier: Apache-2.0

import XML

extension Addressing {
    /// The versions of WS-Addressing that programs of the field speak; a request is answered in its own.
    enum Version {
        /// The recommendation: JAX-WS, CXF, .NET.
        case v10
        /// The submission of August 2004: Axis, WSE and older servers.
        case v200408

        /// The namespace of the headers.
        var namespace: StaticString {
            switch self {
            case .v10: "http://www.w3.org/2005/08/addressing"
            case .v200408: "http://schemas.xmlsoap.org/ws/2004/08/addressing"
            }
        }

        /// The version of a header, by its namespace.
        init?(namespace name: XMLName) {
            if name.isIn(Self.v10.namespace) {
                self = .v10
            } else if name.isIn(Self.v200408.namespace) {
                self = .v200408
            } else {
                return nil
            }
        }

        /// The address that means the connection the request came by.
        var anonymous: StaticString {
            switch self {
            case .v10: "http://www.w3.org/2005/08/addressing/anonymous"
            case .v200408: "http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous"
            }
        }

        /// Whether an address means the connection the request came by.
        func isAnonymous(_ address: String) -> Bool { address == "\(anonymous)" }

        /// Whether an address says that answers are not wanted.
        func isNobody(_ address: String) -> Bool { self == .v10 && address == "\(namespace)/none" }

        /// The action of a fault: WS-Addressing's own, or another.
        func faultAction(isAboutAddressing: Bool) -> String {
            self == .v10 && !isAboutAddressing ? "\(namespace)/soap/fault" : "\(namespace)/fault"
        }
    }
}
