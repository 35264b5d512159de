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
    ///
    /// With a pace (pushes a second, 0: as fast as it can) it notes when codes come, and says that when asked.
    static func serve(folder: String, pace: Int?) throws {
        let authority = try CertificateAuthority(name: "busd bench")
        let identity = try authority.server(["localhost", "127.0.0.1"])
        try SystemText.write(authority.certificate, to: "\(folder)/\(authorityFile)")
        let tls = HTTP2ServerTLS(certificate: Array(identity.certificate.utf8), key: Array(identity.privateKey.utf8))
        var configuration = HTTP2ServerConfiguration(tls: tls)
        configuration.maxConcurrentStreams = 1_000
        let receipts = pace.map { CodeReceipts(pace: $0) }
        let server = try HTTP2Server(configuration, name: "bench-apns") { request in
            var id = idHeader
            id.value = request.header("apns-id") ?? ""
            let answer = HTTP2ServerAction.respond(HTTP2ServerResponse(200, ownHeaders: [id]))
            guard let wait = receipts?.take(request), wait > 0 else { return answer }
            return .after(wait, answer)
        }
        Output.line("\(server.port)")
        while let question = readLine() {
            Output.line(question == "codes" ? receipts?.line ?? "" : "\(server.counters.requests)")
        }
        server.stop()
    }
}
