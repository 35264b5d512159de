// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD

/// The certificate of an ``HTTPServer``, which then speaks TLS 1.2 and 1.3.
public struct HTTPServerTLS: Sendable {
    /// GnuTLS's words for its usual ciphers, without the versions that RFC 8996 forbids.
    private static let priorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

    /// The certificate, then its chain, PEM.
    public var certificate: String
    /// Its private key without a password, PEM; secret.
    public var key: String
    /// The roots that clients' certificates must lead to, PEM; where it is `nil`, clients are not asked for one.
    ///
    /// A client is asked, never forced: a route decides with ``Bus/HTTPPeer/certificateSubject``.
    public var clientRoots: String?

    /// Describes a certificate.
    public init(certificate: String, key: String, clientRoots: String? = nil) {
        self.certificate = certificate
        self.key = key
        self.clientRoots = clientRoots
    }

    /// Points the settings at the texts, for as long as `body` runs.
    func withPointers<Result>(_ settings: inout busd_mhd_options, _ body: (inout busd_mhd_options) -> Result) -> Result
    {
        certificate.withCString { certificate in
            key.withCString { key in
                (clientRoots ?? "").withCString { roots in
                    Self.priorities.withCString { priorities in
                        settings.certificate = certificate
                        settings.key = key
                        settings.client_roots = clientRoots == nil ? nil : roots
                        settings.priorities = priorities
                        return body(&settings)
                    }
                }
            }
        }
    }
}
