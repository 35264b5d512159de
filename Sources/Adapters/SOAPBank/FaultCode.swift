// SPDX-License-Identifier: Apache-2.0

import XML

extension SOAPFault.Code {
    /// Codes of other specifications than SOAP's.
    struct Details {
        let prefix: StaticString
        let namespace: StaticString
        /// The widest first; SOAP 1.1 has room for the last only.
        let names: [StaticString]

        /// Writes `prefix="namespace">prefix:name`, what stands between `xmlns:` and the end tag.
        func writeQualified(_ name: StaticString, to writer: inout XMLWriter) {
            writer.markup(prefix)
            writer.markup("=\"")
            writer.markup(namespace)
            writer.markup("\">")
            writer.markup(prefix)
            writer.markup(":")
            writer.markup(name)
        }
    }

    /// The name in SOAP 1.1.
    var name11: StaticString {
        switch self {
        case .server: "Server"
        case .versionMismatch: "VersionMismatch"
        case .mustUnderstand: "MustUnderstand"
        case .client, .failedAuthentication, .messageExpired, .invalidSecurity, .addressing: "Client"
        }
    }

    /// The name in SOAP 1.2.
    var name12: StaticString {
        switch self {
        case .server: "Receiver"
        case .versionMismatch: "VersionMismatch"
        case .mustUnderstand: "MustUnderstand"
        case .client, .failedAuthentication, .messageExpired, .invalidSecurity, .addressing: "Sender"
        }
    }

    /// What another specification calls it.
    var details: Details? {
        switch self {
        case .client, .server, .versionMismatch, .mustUnderstand: nil
        case .failedAuthentication: Self.security("FailedAuthentication")
        case .messageExpired: Self.security("MessageExpired")
        case .invalidSecurity: Self.security("InvalidSecurity")
        case .addressing(let fault, let version):
            Details(prefix: "wsa", namespace: version.namespace, names: fault.codes(in: version))
        }
    }

    private static func security(_ name: StaticString) -> Details {
        Details(prefix: "wsse", namespace: UsernameToken.namespace, names: [name])
    }
}
