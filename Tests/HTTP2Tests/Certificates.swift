// SPDX-License-Identifier: Apache-2.0

import Crypto
import HTTP2

/// A throw-away authority with certificates for a server and a client, made once a run.
struct Certificates: Sendable {
    static let shared = Certificates(named: "localhost")
    /// Another authority, which nobody trusts.
    static let stranger = Certificates(named: "localhost")
    /// The same authority's server under another name.
    let misnamed: HTTP2ServerTLS

    let authority: [UInt8]
    let server: HTTP2ServerTLS
    let client: Identity

    private init(named name: String) {
        let authority = try! CertificateAuthority(name: "Test CA")
        self.authority = Array(authority.certificate.utf8)
        server = HTTP2ServerTLS(try! authority.server([name]))
        misnamed = HTTP2ServerTLS(try! authority.server(["elsewhere.example"]))
        client = try! authority.client(name: "bank")
    }
}

extension HTTP2ServerTLS {
    init(_ identity: Identity) {
        self.init(certificate: Array(identity.certificate.utf8), key: Array(identity.privateKey.utf8))
    }
}
