// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTP2
import JSON
import PushService
import PushTesting
import YAML

@testable import FCM

func settings(_ text: String) throws -> FCMSettings { try FCMSettings.read(YAML.parse(text, file: "p.yaml")) }

/// A service account's key file with some members changed; `null` removes one.
func accountFile(_ changes: [String: JSONValue] = [:]) throws -> String {
    var members: [String: JSONValue] = [
        "type": "service_account", "project_id": "megabank-1", "private_key_id": "k1",
        "private_key": .string(try Secrets.shared.rsa.pem()),
        "client_email": "bus@megabank-1.iam.gserviceaccount.com", "token_uri": "https://localhost/token",
    ]
    for (name, value) in changes { members[name] = value == .null ? nil : value }
    var writer = JSONWriter()
    writer.value(JSONValue(members: members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    return writer.text
}

/// What a token endpoint answers.
func granted(_ token: String, life: Int = 3599) -> HTTP2ServerAction {
    answer(200, #"{"access_token":"\#(token)","expires_in":\#(life),"token_type":"Bearer"}"#)
}

/// FCM's error.
func refusal(_ status: Int, _ word: String, code: String? = nil) -> HTTP2ServerAction {
    let detail = code.map {
        #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#($0)"}"#
    }
    return answer(status, #"{"error":{"code":\#(status),"status":"\#(word)","details":[\#(detail ?? "")]}}"#)
}

/// A service and a token endpoint with scripts, and a channel that sends to them.
struct Fixture {
    let server: HTTP2Server
    let endpoint: HTTP2Server
    let channel: FCMChannel
    let collector = Collector()
    let requests = Requests()
    let grants = Requests()

    /// The scripts say what to do about the request of a number, from 0; the endpoint's first token is `t1`.
    init(
        script: @escaping @Sendable (Int, HTTP2ServerRequest) -> HTTP2ServerAction = { _, _ in ok },
        grant: @escaping @Sendable (Int, HTTP2ServerRequest) -> HTTP2ServerAction = { number, _ in
            granted("t\(number + 1)")
        }
    ) throws {
        let configuration = HTTP2ServerConfiguration(tls: Secrets.shared.server)
        let (requests, grants) = (self.requests, self.grants)
        server = try HTTP2Server(configuration) { script(requests.add($0), $0) }
        endpoint = try HTTP2Server(configuration) { grant(grants.add($0), $0) }
        let file = "account-\(SecureRandom.integer()).json"
        let uri = "https://localhost:\(endpoint.port)/token"
        try Secrets.shared.write(file, try accountFile(["token_uri": .string(uri)]))
        let text = """
            endpoint: https://localhost:\(server.port)
            service_account: \(Secrets.shared.path(file))
            ca: \(Secrets.shared.path("ca.pem"))
            """
        channel = try FCMChannel(settings: settings(text), context: .test, loop: .shared) {
            $0.backoff = 10_000_000...100_000_000
        }
    }

    /// Sends deliveries with tickets from 1; returns what became of each.
    func send(_ deliveries: [Delivery]) async -> [UInt64: Outcome] {
        channel.send(deliveries, to: collector)
        return await collector.outcomes(deliveries.count)
    }
}

func android(
    _ ticket: UInt64 = 1,
    _ outgoing: OutgoingNotification = outgoing(),
    token: String = "f1:APA91b",
    expiration: WallTime? = WallTime(seconds: 1_700_000_060),
    seconds: UInt64 = 20,
    mayRepeat: Bool = false
) -> Delivery {
    delivery(
        ticket,
        outgoing,
        token: token,
        platform: .android,
        expiration: expiration,
        seconds: seconds,
        mayRepeat: mayRepeat
    )
}
