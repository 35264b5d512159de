// SPDX-License-Identifier: Apache-2.0

import Crypto
import Files
import HTTP2

/// A lean stand-in for APNs: TLS and HTTP/2 as the real one, no checks, every push answered with 200.
enum PushStandIn {
    static let name = "push-stand-in"
    static let authorityFile = "ca.pem"
    private static let idHeader = HTTP2Header("apns-id", "", isIndexed: false)

    /// Serves until its input ends; says the port, then the number of pushes whenever it is asked.
    static func serve(folder: String) throws {
        let authority = try CertificateAuthority(name: "busd bench")
        let identity = try authority.server(["localhost", "127.0.0.1"])
        try SystemText.write(authority.certificate, to: "\(folder)/\(authorityFile)")
        let tls = HTTP2ServerTLS(certificate: Array(identity.certificate.utf8), key: Array(identity.privateKey.utf8))
        var configuration = HTTP2ServerConfiguration(tls: tls)
        configuration.maxConcurrentStreams = 1_000
        let server = try HTTP2Server(configuration, name: "bench-apns") { request in
            var id = idHeader
            id.value = request.header("apns-id") ?? ""
            return .respond(HTTP2ServerResponse(200, ownHeaders: [id]))
        }
        Output.line("\(server.port)")
        while readLine() != nil { Output.line("\(server.counters.requests)") }
        server.stop()
    }
}
