// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

/// The matrix of all fates is a test of the engine's; here is what only the real program, killed for real, can show.
@Suite("A PIN code reaches its user once", .serialized, .timeLimit(.minutes(4)))
struct PINCodeTests {
    private static let number = "+375291112233"

    @Test("Where push fails it is a text message in time, and the timeline, the bank and the metrics know of it")
    func fallback() async throws {
        try await GatewayStandIn.with { gateway, url in
            try await World.with { world in
                try world.sendTexts(to: url)
                world.sandbox.apns.setRules([PushRule(status: 503, reason: "ServiceUnavailable")])
                let bus = try await world.startBus()
                try await world.register("anna", phone: Self.number, at: bus)
                let start = ContinuousClock.now
                try await world.sendPIN("n1", to: "anna", at: bus)
                await gateway.asked(1)
                #expect(ContinuousClock.now - start < .seconds(3))
                #expect(gateway.messages.map(\.text) == ["Your code: 483920"])
                #expect(gateway.messages.map { $0.to.filter(\.isNumber) } == ["375291112233"])
                #expect(try await world.status(of: "n1", at: bus, becomes: "SENT").contains("SENT"))
                let pushes = world.sandbox.apns.records().count
                #expect(try await world.report(gateway.messages[0], type: 1, at: bus) == 200)
                #expect(try await world.status(of: "n1", at: bus, becomes: "DELIVERED").contains("DELIVERED"))
                #expect(try await world.report(gateway.messages[0], type: 2, at: bus) == 200)
                let timeline = try await world.timeline("n1", at: bus)
                #expect(timeline.filter { $0.contains("sms_gateway") }.count == 3, "\(timeline)")
                for word in ["fallback", "sent", "delivered"] {
                    #expect(timeline.contains { $0.hasPrefix("\(word) sms_gateway") }, "\(timeline)")
                }
                let metrics = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
                for status in ["sent", "delivered"] {
                    let labels = "pipeline=\"bank\",channel=\"sms_gateway\",status=\"\(status)\""
                    #expect(metrics.contains("busd_deliveries_total{\(labels)} 1\n"))
                }
                #expect(bus.terminate() == 0)
                #expect(gateway.messages.count == 1)
                #expect(world.sandbox.apns.records().count == pushes, "no push after the text message")
                for secret in ["483920", "375291112233"] {
                    #expect(!bus.log.contains(secret))
                    #expect(!metrics.contains(secret))
                    #expect(!timeline.contains { $0.contains(secret) })
                }
            }
        }
    }

    @Test("Killed after the push, the bus sends the text message when it is time, once")
    func killedBefore() async throws {
        try await GatewayStandIn.with { gateway, url in
            try await World.with { world in
                try world.sendTexts(to: url)
                var bus = try await world.startBus()
                try await world.register("anna", phone: Self.number, at: bus)
                try await world.sendPIN("n1", to: "anna", at: bus)
                await world.sandbox.apns.arrived(1)
                bus.kill9()
                #expect(gateway.messages.isEmpty)
                bus = try await world.startBus()
                await gateway.asked(1)
                #expect(try await world.timeline("n1", at: bus).contains { $0.hasPrefix("fallback sms_gateway") })
                bus.kill9()
                bus = try await world.startBus()
                #expect(try await world.status(of: "n1", at: bus, becomes: "SENT").contains("SENT"))
                #expect(bus.terminate() == 0)
                #expect(gateway.messages.count == 1)
            }
        }
    }

    @Test("Killed while the gateway is asked, the bus does not ask again, says unknown, and believes a late report")
    func killedWhileAsking() async throws {
        try await GatewayStandIn.with { gateway, url in
            try await World.with { world in
                try world.sendTexts(to: url)
                gateway.answers(.hold)
                var bus = try await world.startBus()
                try await world.sendPIN("n1", to: "anna", phone: Self.number, at: bus)
                await gateway.asked(1)
                bus.kill9()
                bus = try await world.startBus()
                #expect(try await world.status(of: "n1", at: bus, becomes: "SENT").contains("SENT"))
                let timeline = try await world.timeline("n1", at: bus)
                #expect(timeline.contains { $0.hasPrefix("unknown sms_gateway") }, "\(timeline)")
                #expect(try await world.report(gateway.messages[0], type: 1, at: bus) == 200)
                #expect(try await world.status(of: "n1", at: bus, becomes: "DELIVERED").contains("DELIVERED"))
                #expect(bus.terminate() == 0)
                #expect(gateway.messages.count == 1)
            }
        }
    }

    @Test("A gateway that is busy is asked until it takes it; one that refuses makes a dead letter and a callback")
    func gateways() async throws {
        try await GatewayStandIn.with { gateway, url in
            try await World.with { world in
                try world.sendTexts(to: url)
                try world.tellBank("events: [failed]")
                gateway.answers(.busy)
                let bus = try await world.startBus()
                try await world.sendPIN("n1", to: "anna", phone: Self.number, at: bus)
                await gateway.asked(2)
                gateway.answers(.accept)
                #expect(try await world.status(of: "n1", at: bus, becomes: "SENT").contains("SENT"))
                gateway.answers(.refuse)
                try await world.sendPIN("n2", to: "boris", phone: Self.number, at: bus)
                #expect(try await world.status(of: "n2", at: bus, becomes: "FAILED").contains("SENDING_FAILED"))
                let call = try #require(try await world.heard("reportNotificationFailed", atLeast: 1).first)
                #expect(call["notificationId"] == "n2")
                let letter = try #require(try await world.deadLetters(at: bus, count: 1).first)
                #expect(letter["link"]?.string == "sms_gateway")
                #expect(letter["notificationId"]?.string == "n2")
                gateway.answers(.accept)
                let path = "/dead-letters/\(try #require(letter["id"]?.integer))/replay"
                #expect(try await world.admin("POST", bus, path, token: "operator").status == 200)
                #expect(try await world.status(of: "n2", at: bus, becomes: "SENT<").contains("SENT<"))
                let metrics = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
                #expect(metrics.contains("busd_queue_depth{pipeline=\"bank\",lane=\"urgent\"} 0\n"))
                #expect(bus.terminate() == 0)
            }
        }
    }

    @Test("A receipt in time is all that is needed")
    func receipt() async throws {
        try await GatewayStandIn.with { gateway, url in
            try await World.with { world in
                try world.sendTexts(to: url)
                let bus = try await world.startBus()
                let phone = try await world.register("anna", phone: Self.number, at: bus)
                try await world.sendPIN("n1", to: "anna", at: bus)
                await world.sandbox.apns.arrived(1)
                #expect(try await world.receipt("delivered", "n1", phone, at: bus) == 202)
                // The next one's text message shows that the first one's time has passed.
                try await world.sendPIN("n2", to: "anna", at: bus)
                await gateway.asked(1)
                let expected = try await world.timeline("n1", at: bus)
                #expect(!expected.contains { $0.hasPrefix("fallback") }, "\(expected)")
                #expect(try await world.timeline("n2", at: bus).contains { $0.hasPrefix("fallback sms_gateway") })
                #expect(bus.terminate() == 0)
                #expect(gateway.messages.count == 1)
            }
        }
    }
}

extension World {
    /// Has the pipeline send text messages, a second and a half after the acceptance.
    func sendTexts(to url: String) throws {
        let gateway = """
              - sms_gateway:
                  url: "\(url)"
                  username: busd
                  password: secret
                  after: 1500ms
                  delivery_reports: { url: "http://127.0.0.1:8080/sms/reports" }
                when: { type: PIN_CODE }
            """
        try change {
            $0.replacing("\ndelivery:", with: "\n\(gateway)\ndelivery:")
                .replacing("inbound:\n", with: "inbound:\n  - rest_bank: { path: /api/v1 }\n")
        }
    }

    /// Registers an iPhone of a user who tells his number.
    @discardableResult
    fileprivate func register(_ user: String, phone: String, at bus: BusProcess) async throws -> Phone {
        let body = """
            {"appId": "retail", "userId": "\(user)", "deviceId": "d-\(user)", "platform": "IOS", "token": "abcd", \
            "phone": "\(phone)"}
            """
        let answer = try await send("POST", bus, "/mobile/v1/devices", "application/json", body)
        let object = try JSONValue(parsing: answer.body)
        return Phone(
            spelling: user,
            subscriber: try #require(object["subscriberId"]?.string),
            secret: try #require(object["secret"]?.string)
        )
    }

    func sendPIN(
        _ id: String,
        to user: String,
        phone: String? = nil,
        timeout: Int = 120,
        at bus: BusProcess
    ) async throws {
        let details = phone.map {
            ", \"pushDetails\": {\"name\": \"Code\", \"tags\": [{\"key\": \"phone\", \"value\": \"\($0)\"}]}"
        }
        let body = """
            {"id": "\(id)", "recipients": ["\(user)"], "timeout": \(timeout), "pushContent": {"badge": 0, \
            "text": "Your code:", "type": "PIN_CODE", "target": "483920"}\(details ?? "")}
            """
        let answer = try await send("POST", bus, "/api/v1/notifications", "application/json", body)
        #expect(answer.status == 202, "\(String(decoding: answer.body, as: UTF8.self))")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("QUEUED"))
    }

    /// The steps of a notification, each as its event, channel and detail.
    func timeline(_ id: String, at bus: BusProcess) async throws -> [String] {
        let answer = try await send("GET", bus, "/api/v1/notifications/\(id)/timeline")
        let events = try JSONValue(parsing: answer.body)["events"]?.array ?? []
        return events.map { event in
            ["event", "channel", "detail"].compactMap { event[$0]?.string }.joined(separator: " ")
        }
    }

    /// Tells the bus what became of a text message, as the gateway would; returns the answer's status.
    fileprivate func report(_ message: GatewayStandIn.Message, type: Int, at bus: BusProcess) async throws -> Int {
        let query = try #require(message.report.split(separator: "?", maxSplits: 1).last)
        let filled = query.replacing("%d", with: "\(type)").replacing("%A", with: "ok")
        return try await send("GET", bus, "/sms/reports?\(filled)").status
    }
}
