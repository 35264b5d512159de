// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import TestSupport
import Testing

@Suite("A bank's request becomes a push on the phone", .timeLimit(.minutes(2)))
struct JourneyTests {
    @Test("the request of the original documentation arrives as the contract describes")
    func seed() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            let token = String(repeating: "ab", count: 32)
            #expect(try await world.register("id_user_1", device: "d1", token: token, at: bus).status == 201)
            let before = Int(Date().timeIntervalSince1970)
            let answer = try await world.soap(OriginalDocumentation.request, at: bus)
            #expect(answer.status == 200)
            #expect(answer.text.contains("<status>OK</status>"))
            #expect(answer.text.contains("<key>id_user_1</key><value>QUEUED</value>"))
            #expect(answer.text.contains("<key>id_user_2</key><value>INVALID_SUBSCRIPTION</value>"))
            await world.sandbox.apns.arrived(1)
            let record = try #require(world.sandbox.apns.records(token: token).first)
            #expect(record.status == 200)
            let body = String(decoding: record.body, as: UTF8.self)
            let json = try JSONValue(parsing: record.body)
            #expect(json["aps"]?["alert"]?["body"]?.string == "Текст для отображения в шторке телефона", "\(body)")
            #expect(json["aps"]?["alert"]?["title"]?.string == "Заголовок сообщения")
            #expect(json["aps"]?["badge"] == .integer(0))
            #expect(json["aps"]?["sound"]?.string == "default")
            #expect(json["notificationId"]?.string == "push_id")
            #expect(json["type"]?.string == "UNIVERSAL")
            #expect(json["target"] == nil)
            #expect(json["details"] == .bool(true))
            #expect(record.header("apns-topic") == "com.example.bank")
            #expect(record.header("apns-push-type") == "alert")
            #expect(record.header("apns-priority") == "10")
            #expect(record.header("apns-collapse-id") == "push_id")
            let expiration = try #require(record.header("apns-expiration").flatMap { Int($0) })
            #expect((before + 1000...before + 1010).contains(expiration))
            let sent = "<key>id_user_1</key><value>SENT</value>"
            #expect(try await world.status(of: "push_id", at: bus, becomes: sent).contains(sent))
            let details = try await world.soap(
                "<getNotificationDetails><id>push_id</id></getNotificationDetails>",
                at: bus
            )
            #expect(details.text.contains("Текстовый блок с некоторым описанием"))
            #expect(bus.terminate() == 0)
        }
    }

    @Test("a second request with the same id is DUPLICATED_ENTITY and sends nothing")
    func duplicate() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await world.register("anna", device: "d1", token: "aa", at: bus)
            let request = SOAPText.notification("n1", to: ["anna"])
            #expect(try await world.soap(request, at: bus).text.contains("<status>OK</status>"))
            #expect(try await world.soap(request, at: bus).text.contains("<status>DUPLICATED_ENTITY</status>"))
            _ = try await world.status(of: "n1", at: bus, becomes: "SENT")
            #expect(world.sandbox.apns.records().count == 1)
        }
    }

    @Test("users are recognised whatever their case, and the bank gets its own spelling back")
    func spelling() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await world.register("Анна", device: "d1", token: "aa", at: bus)
            let answer = try await world.soap(SOAPText.notification("n1", to: ["АННА", "анна"]), at: bus)
            #expect(answer.text.contains("<key>АННА</key><value>QUEUED</value>"))
            #expect(answer.text.contains("<key>анна</key><value>QUEUED</value>"))
            let status = try await world.status(of: "n1", at: bus, becomes: "<key>АННА</key><value>SENT</value>")
            #expect(status.contains("<key>анна</key><value>SENT</value>"))
            #expect(world.sandbox.apns.records().count == 1)
        }
    }

    @Test("a bank gets its list back in its own order, each spelling once", arguments: [3, 100])
    func order(count: Int) async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            let users = (0..<count).map { "user\($0 * 71 % count)" }
            let named = users + [users[1].uppercased(), users[0], users[2].uppercased()]
            let expected = users + [named[count], named[count + 2]]
            let answer = try await world.soap(SOAPText.notification("n1", to: named), at: bus)
            #expect(Self.texts("key", in: answer.text) == expected)
            let later = try await world.soap("<getDeliveryStatus><id>n1</id></getDeliveryStatus>", at: bus)
            #expect(Self.texts("key", in: later.text) == expected)
            let details = try await world.soap("<getNotificationDetails><id>n1</id></getNotificationDetails>", at: bus)
            #expect(Self.texts("recipients", in: details.text) == expected)
        }
    }

    private static func texts(_ element: String, in answer: String) -> [String] {
        answer.components(separatedBy: "<\(element)>").dropFirst().map { $0.components(separatedBy: "</")[0] }
    }

    @Test("a restart resumes what was queued, with the ids that were promised")
    func restart() async throws {
        try await World.with { world in
            var bus = try await world.startBus()
            try await world.register("anna", device: "d1", token: "aa", at: bus)
            #expect(try await world.admin("POST", bus, "/channels/bank/apns/pause", token: "operator").status == 204)
            for number in 0..<20 {
                let answer = try await world.soap(SOAPText.notification("n\(number)", to: ["anna"]), at: bus)
                #expect(answer.text.contains("<status>OK</status>"))
            }
            #expect(world.sandbox.apns.records().isEmpty)
            #expect(bus.terminate() == 0)
            bus = try await world.startBus()
            #expect(world.sandbox.apns.records().isEmpty)
            #expect(try await world.admin("POST", bus, "/channels/bank/apns/resume", token: "operator").status == 204)
            await world.sandbox.apns.arrived(20)
            for number in 0..<20 {
                let text = try await world.status(of: "n\(number)", at: bus, becomes: "SENT")
                #expect(text.contains("<value>SENT</value>"))
            }
            #expect(Set(world.sandbox.apns.records().compactMap { $0.header("apns-id") }).count == 20)
        }
    }

    @Test("what nobody could send in time ends EXPIRED and is never sent")
    func expiry() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await world.register("anna", device: "d1", token: "aa", at: bus)
            _ = try await world.admin("POST", bus, "/channels/bank/apns/pause", token: "operator")
            _ = try await world.soap(SOAPText.notification("n1", to: ["anna"], timeout: 1), at: bus)
            let text = try await world.status(of: "n1", at: bus, becomes: "EXPIRED")
            #expect(text.contains("<value>EXPIRED</value>"))
            _ = try await world.admin("POST", bus, "/channels/bank/apns/resume", token: "operator")
            _ = try await world.soap(SOAPText.notification("n2", to: ["anna"]), at: bus)
            _ = try await world.status(of: "n2", at: bus, becomes: "SENT")
            #expect(world.sandbox.apns.records().count == 1)
        }
    }

    @Test("operators see health, readiness and counters, and need the token to change anything")
    func operations() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            #expect(try await world.admin("GET", bus, "/healthz").status == 200)
            #expect(try await world.admin("GET", bus, "/readyz").status == 200)
            #expect(try await world.admin("POST", bus, "/channels/bank/apns/pause").status == 401)
            #expect(try await world.admin("POST", bus, "/channels/bank/apns/pause", token: "guess").status == 401)
            #expect(try await world.admin("POST", bus, "/channels/bank/nobody/pause", token: "operator").status == 404)
            try await world.register("anna", device: "d1", token: "aa", at: bus)
            _ = try await world.soap(SOAPText.notification("n1", to: ["anna"]), at: bus)
            _ = try await world.status(of: "n1", at: bus, becomes: "SENT")
            let metrics = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
            #expect(metrics.contains("busd_notifications_accepted_total{pipeline=\"bank\"} 1\n"))
            #expect(metrics.contains("busd_deliveries_total{pipeline=\"bank\",channel=\"apns\",status=\"sent\"} 1\n"))
            #expect(metrics.contains("busd_queue_depth{pipeline=\"bank\",lane=\"bulk\"} 0\n"))
            #expect(!metrics.contains("anna"))
        }
    }
}
