// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

@Suite("Notifications for Android", .serialized, .timeLimit(.minutes(4)))
struct AndroidTests {
    @Test("a notification arrives at FCM as the contract describes")
    func journey() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            let token = "f1ABCdef:APA91b-x_Y"
            #expect(
                try await world.register("anna", device: "d1", token: token, platform: "ANDROID", at: bus).status == 201
            )
            let details = "<pushDetails><entry><key>name</key><value>Банк</value></entry></pushDetails>"
            let answer = try await world.soap(
                SOAPText.notification("n1", to: ["anna"], text: "Привет", timeout: 1000, more: details),
                at: bus
            )
            #expect(answer.text.contains("<key>anna</key><value>QUEUED</value>"), "\(answer.text)")
            await world.sandbox.fcm.arrived(1)
            let record = try #require(world.sandbox.fcm.records(token: token).first)
            #expect(record.status == 200)
            let message = try #require(JSONValue(parsing: record.body)["message"])
            #expect(message["notification"] == ["title": "Банк", "body": "Привет"])
            #expect(message["data"] == ["notificationId": "n1", "type": "UNIVERSAL", "details": "true"])
            #expect(message["android"]?["priority"]?.string == "HIGH")
            let life = try #require(message["android"]?["ttl"]?.string?.dropLast()).description
            #expect((990...1000).contains(try #require(Int(life))), "\(life)")
            _ = try await world.status(of: "n1", at: bus, becomes: "<value>SENT</value>")
            let metrics = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
            #expect(metrics.contains("busd_deliveries_total{pipeline=\"bank\",channel=\"fcm\",status=\"sent\"} 1\n"))
            #expect(world.sandbox.apns.records().isEmpty && world.sandbox.accessTokens.issued == 1)
        }
    }

    @Test("UNREGISTERED ends the subscription, a project that is not ours does not")
    func verdicts() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await world.register("anna", device: "d1", token: "anna:1", platform: "ANDROID", at: bus)
            try await world.register("boris", device: "d2", token: "boris:1", platform: "ANDROID", at: bus)
            world.sandbox.fcm.setRules([PushRule(token: "anna:1", status: 404, reason: "UNREGISTERED")])
            _ = try await world.soap(SOAPText.notification("n1", to: ["anna"]), at: bus)
            let invalid = "<key>anna</key><value>INVALID_SUBSCRIPTION</value>"
            #expect(try await world.status(of: "n1", at: bus, becomes: invalid).contains(invalid))
            world.sandbox.fcm.setRules([PushRule(status: 404, reason: nil, times: 1)])
            _ = try await world.soap(SOAPText.notification("n2", to: ["boris"]), at: bus)
            let sent = "<key>boris</key><value>SENT</value>"
            #expect(try await world.status(of: "n2", at: bus, becomes: sent).contains(sent))
            #expect(world.sandbox.fcm.records(token: "boris:1").map(\.status) == [404, 200])
            #expect(bus.log.contains("there is no such project"))
        }
    }

    @Test("a token endpoint that refuses holds everything, and no subscription is lost")
    func refusedAccount() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await world.register("anna", device: "d1", token: "anna:1", platform: "ANDROID", at: bus)
            world.sandbox.oauth.setRules([PushRule(status: 400, reason: "invalid_grant", times: 1)])
            _ = try await world.soap(SOAPText.notification("n1", to: ["anna"]), at: bus)
            let sent = "<key>anna</key><value>SENT</value>"
            #expect(try await world.status(of: "n1", at: bus, becomes: sent).contains(sent))
            #expect(world.sandbox.oauth.records().map(\.status) == [400, 200])
            #expect(bus.log.contains("invalid_grant"))
        }
    }

    @Test("check tells what is wrong with a service account, at its place")
    func check() async throws {
        try await withFolder { folder in
            let key = folder.appending(path: "key.json")
            try #"{"type": "authorized_user"}"#.write(to: key, atomically: true, encoding: .utf8)
            let file = folder.appending(path: "bank.yaml")
            let text = """
                pipeline: bank
                inbound: [ { soap_bank: { path: /bank } } ]
                outbound:
                  - fcm: { service_account: key.json }
                """
            try text.write(to: file, atomically: true, encoding: .utf8)
            let result = try busd("check", "bank.yaml", in: folder)
            #expect(result.status == 1)
            let expected = "bank.yaml:4:29: error: 'service_account' key.json has a 'type' other than service_account"
            #expect(result.error.contains(expected), "\(result.error)")
        }
    }
}
