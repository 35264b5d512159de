// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import HTTPServer
import JSON
import Sandbox
import Testing

@Suite("Text messages through the gateway", .timeLimit(.minutes(2)))
struct TextMessageTests {
    private static let phone = "+7 (916) 123-45-67"
    private static let digits = "79161234567"
    private static let token = String(repeating: "ab", count: 32)

    /// A second door for apps, whose registrations a code confirms.
    private static let codes = """
          - mobile_app:
              path: /codes/v1
              authorization: sms_code
              apps: [{ id: wallet }]
              code_text: "Код {code}, никому его не говорите"
            name: codes
        """

    private func register(_ world: World, at bus: BusProcess, phone: String?) async throws -> (Int, JSONValue?) {
        let phone = phone.map { #", "phone": "\#($0)""# } ?? ""
        let body = """
            {"appId": "wallet", "userId": "anna", "deviceId": "d1", "platform": "IOS", "token": "\(Self.token)"\(phone)}
            """
        let answer = try await world.send("POST", bus, "/codes/v1/devices", "application/json", body)
        return (answer.status, try? JSONValue(parsing: answer.body))
    }

    private func verify(_ code: String, _ world: World, at bus: BusProcess) async throws -> (Int, JSONValue?) {
        let body = #"{"appId": "wallet", "userId": "anna", "code": "\#(code)"}"#
        let path = "/codes/v1/devices/d1/verification"
        let answer = try await world.send("POST", bus, path, "application/json", body)
        return (answer.status, try? JSONValue(parsing: answer.body))
    }

    private func codeSent(_ world: World) throws -> String {
        let record = try #require(world.sandbox.sms.records(token: Self.digits).last)
        let text = String(decoding: record.body, as: UTF8.self)
        #expect(text.hasPrefix("Код ") && text.hasSuffix(", никому его не говорите"))
        return String(text.dropFirst(4).prefix(6))
    }

    @Test("a code by text message confirms a registration, also after a kill, and is nowhere in the log")
    func code() async throws {
        try await World.with(node: "log: { level: debug }", inbound: Self.codes, sms: "") { world in
            let first = try await world.startBus()
            #expect(try await register(world, at: first, phone: nil).0 == 422)
            let (status, answer) = try await register(world, at: first, phone: Self.phone)
            #expect(status == 202 && answer?["state"]?.string == "VERIFICATION_REQUIRED")
            let code = try codeSent(world)
            let (wrong, problem) = try await verify(code == "000000" ? "1" : "000000", world, at: first)
            #expect(wrong == 403 && problem?["code"]?.string == "VERIFICATION_FAILED")
            first.kill9()
            let second = try await world.startBus()
            let (confirmed, subscription) = try await verify(code, world, at: second)
            #expect(confirmed == 201 && subscription?["secret"]?.string != nil)
            #expect(try await verify(code, world, at: second).0 == 404)
            for log in [first.log, second.log] {
                for secret in [code, "1234567", world.sandbox.smsPassword] { #expect(!log.contains(secret)) }
            }
        }
    }

    @Test("five wrong codes are enough, and a gateway that is away costs none")
    func tries() async throws {
        try await World.with(inbound: Self.codes, sms: "      method: post") { world in
            let bus = try await world.startBus()
            world.sandbox.sms.setRules([PushRule(status: 503, reason: nil, times: 1)])
            let (away, problem) = try await register(world, at: bus, phone: Self.phone)
            #expect(away == 502 && problem?["code"]?.string == "GATEWAY_UNREACHABLE")
            #expect(try await register(world, at: bus, phone: Self.phone).0 == 202)
            let code = try codeSent(world)
            for _ in 0..<5 { #expect(try await verify(code == "000000" ? "1" : "000000", world, at: bus).0 == 403) }
            #expect(try await verify(code, world, at: bus).0 == 429)
            #expect(try await register(world, at: bus, phone: "12").0 == 422)
        }
    }

    @Test(
        "a PIN code of somebody without a device goes to the phone that the bank names, and its report settles it",
        arguments: [(PushRule.Report.delivered, "DELIVERED"), (.undeliverable, "SENDING_FAILED")]
    )
    func pin(_ report: PushRule.Report, _ status: String) async throws {
        let port = try await freePort()
        let options = """
                  from: MegaBank
                  delivery_reports: { url: "http://127.0.0.1:\(port)/sms/reports" }
            """
        try await World.with(node: "log: { level: debug }", sms: options, port: port) { world in
            var rule = PushRule()
            rule.report = report
            world.sandbox.sms.setRules([rule])
            let bus = try await world.startBus()
            let pin = """
                <sendNotification><notification><id>p1</id><pushContent><badge>0</badge><text>Ваш код:</text>\
                <type>PIN_CODE</type><target>483920</target></pushContent><recipients>boris</recipients>\
                <timeout>600</timeout><pushDetails><entry><key>phone</key><value>\(Self.phone)</value></entry>\
                </pushDetails></notification></sendNotification>
                """
            #expect(try await world.soap(pin, at: bus).text.contains("QUEUED"))
            #expect(try await world.status(of: "p1", at: bus, becomes: status).contains(status))
            let records = world.sandbox.sms.records(token: Self.digits)
            #expect(records.map { String(decoding: $0.body, as: UTF8.self) } == ["Ваш код: 483920"])
            #expect(records.first?.header("from") == "MegaBank")
            for secret in ["483920", "1234567", world.sandbox.smsPassword] { #expect(!bus.log.contains(secret)) }
        }
    }

    private func freePort() async throws -> UInt16 {
        let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: [])
        let port = try #require(server.addresses.first).port
        await server.stop(drain: .zero)
        return port
    }
}
