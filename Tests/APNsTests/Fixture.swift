// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import PushTesting
import YAML

@testable import APNs

extension Secrets {
    var keyAuth: String { "{ key: { path: \(path("key.p8")), key_id: ABC123DEFG, team_id: DEF123GHIJ } }" }
}

func settings(_ text: String) throws -> APNsSettings { try APNsSettings.read(YAML.parse(text, file: "p.yaml")) }

/// A server with a script and a channel that sends to it.
struct Fixture {
    let server: HTTP2Server
    let channel: APNsChannel
    let collector = Collector()
    let requests: Requests

    /// The script says what to do about the request of a number, from 0.
    init(
        auth: String = Secrets.shared.keyAuth,
        options: String = "",
        topic: String? = "com.megabank.retail",
        clientRoots: String = "",
        script: @escaping @Sendable (Int, HTTP2ServerRequest) -> HTTP2ServerAction = { _, _ in ok }
    ) throws {
        var configuration = HTTP2ServerConfiguration(tls: Secrets.shared.server)
        configuration.tls?.clientRoots = Array(clientRoots.utf8)
        let requests = Requests()
        self.requests = requests
        server = try HTTP2Server(configuration) { script(requests.add($0), $0) }
        let text = """
            endpoint: https://localhost:\(server.port)
            \(topic.map { "topic: \($0)" } ?? "")
            ca: \(Secrets.shared.path("ca.pem"))
            auth: \(auth)
            \(options)
            """
        channel = try APNsChannel(settings: settings(text), context: .test, loop: .shared) {
            $0.backoff = 10_000_000...100_000_000
        }
    }

    /// Sends deliveries with tickets from 1; returns what became of each.
    func send(_ deliveries: [Delivery]) async -> [UInt64: Outcome] {
        channel.send(deliveries, to: collector)
        return await collector.outcomes(deliveries.count)
    }
}
