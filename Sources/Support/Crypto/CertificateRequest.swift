// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What a certificate shall say.
struct CertificateRequest {
    enum Purpose {
        case authority, client
        case server([String])
    }

    var name: String
    var purpose: Purpose
    var days = 3650

    /// The extensions in OpenSSL's configuration language, each by its short name.
    func extensions() throws(CryptoError) -> [(name: String, value: String)] {
        switch purpose {
        case .authority:
            return [("basicConstraints", "critical,CA:TRUE"), ("keyUsage", "critical,keyCertSign,cRLSign")]
        case .client:
            return [("basicConstraints", "critical,CA:FALSE"), ("extendedKeyUsage", "clientAuth")]
        case .server(let names):
            let alternatives = try Self.alternatives(names)
            return [
                ("basicConstraints", "critical,CA:FALSE"), ("extendedKeyUsage", "serverAuth"),
                ("subjectAltName", alternatives),
            ]
        }
    }

    private static func alternatives(_ names: [String]) throws(CryptoError) -> String {
        var list: [String] = []
        for name in names {
            // The list goes through OpenSSL's configuration parser, where a comma would begin another entry.
            guard !name.isEmpty, name.utf8.allSatisfy(isAllowed) else {
                throw CryptoError("a certificate's name must be a DNS name or an IP address")
            }
            list.append((isAddress(name) ? "IP:" : "DNS:") + name)
        }
        guard !list.isEmpty else { throw CryptoError("a server's certificate needs a name") }
        return list.joined(separator: ",")
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "*")].contains(byte)
        }
    }

    private static func isAddress(_ name: String) -> Bool {
        var space = in6_addr()
        return inet_pton(AF_INET, name, &space) == 1 || inet_pton(AF_INET6, name, &space) == 1
    }
}
