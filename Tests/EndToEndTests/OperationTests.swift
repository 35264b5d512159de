// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import HTTPClient
import Sandbox
import Testing

@Suite("A bus that stops, starts, and is stopped in part", .timeLimit(.minutes(3)))
struct OperationTests {
    private static let inbound = "  - rest_bank: { path: /api/v1 }"

    private static func body(_ id: String, _ user: String = "anna") -> String {
        """
        {"id": "\(id)", "recipients": ["\(user)"], "timeout": 600,
         "pushContent": {"badge": 0, "text": "text", "type": "UNIVERSAL"}}
        """
    }

    @Test("while it drains its listeners answer 503 to everybody, and a silent provider does not hold it up")
    func drain() async throws {
        try await World.with(node: "drain_timeout: 25s", inbound: Self.inbound) { world in
            let bus = try await world.startBus()
            try await world.register("anna", device: "d1", token: "aa", at: bus)
            world.sandbox.apns.setRules([PushRule(.silence)])
            let sent = try await world.send("POST", bus, "/api/v1/notifications", "", Self.body("n1"))
            #expect(sent.status == 202)
            // It has left for the provider, who says nothing.
            var isUnderWay = false
            while !isUnderWay {
                let text = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
                isUnderWay = text.contains("busd_deliveries_under_way{pipeline=\"bank\"} 1")
            }
            let start = ContinuousClock.now
            kill(bus.pid, SIGTERM)
            #expect(await bus.says(" stopping"))
            let late = try await world.send("POST", bus, "/api/v1/notifications", "", Self.body("n2"))
            #expect(late.status == 503)
            #expect(late.headers["Retry-After"] == "5")
            #expect(late.headers["Content-Type"]?.hasPrefix("application/problem+json") == true)
            let fault = try await world.soap("<getDeliveryStatus><id>n1</id></getDeliveryStatus>", at: bus)
            #expect(fault.status == 503)
            #expect(fault.text.contains("<faultcode>soap:Server</faultcode>"))
            #expect(try await world.admin("GET", bus, "/healthz").status == 200)
            let ready = try await world.admin("GET", bus, "/readyz")
            #expect(ready.status == 503)
            #expect(String(decoding: ready.body, as: UTF8.self).contains("it is draining"))
            #expect(bus.waitForExit() == 0)
            #expect(ContinuousClock.now - start < .seconds(10))
            world.sandbox.apns.setRules([])
            let again = try await world.startBus()
            #expect(try await world.status(of: "n1", at: again, becomes: "SENT").contains("SENT"))
            #expect(again.terminate() == 0)
        }
    }

    @Test("all pipelines drain at once")
    func pipelines() async throws {
        try await World.with(inbound: Self.inbound) { world in
            let first = try String(contentsOf: world.folder.appending(path: "bank.yaml"), encoding: .utf8)
            for name in ["two", "three"] {
                var text = first.replacing("pipeline: bank", with: "pipeline: \(name)")
                for path in ["/pigeon", "/mobile", "/api"] {
                    text = text.replacing("path: \(path)", with: "path: /\(name)\(path)")
                }
                try world.write("\(name).yaml", text)
            }
            let bus = try await BusProcess(["run", "bank.yaml", "two.yaml", "three.yaml"], in: world.folder)
            world.sandbox.apns.setRules([PushRule(.silence)])
            for path in ["", "/two", "/three"] {
                let registration = World.registration("anna", device: "d1", token: "aa", platform: "IOS")
                _ = try await world.send("POST", bus, "\(path)/mobile/v1/devices", "application/json", registration)
                _ = try await world.send("POST", bus, "\(path)/api/v1/notifications", "", Self.body("n1"))
            }
            for name in ["bank", "two", "three"] {
                while !String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
                    .contains("busd_deliveries_under_way{pipeline=\"\(name)\"} 1")
                {}
            }
            let start = ContinuousClock.now
            #expect(bus.terminate() == 0)
            // One after the other they would wait for two seconds each.
            #expect(ContinuousClock.now - start < .seconds(5))
        }
    }

    @Test("a second SIGTERM ends it at once")
    func secondSignal() async throws {
        try await World.with(node: "drain_timeout: 60s", inbound: Self.inbound) { world in
            let bus = try await world.startBus()
            try await world.register("anna", device: "d1", token: "aa", at: bus)
            world.sandbox.apns.setRules([PushRule(.silence)])
            _ = try await world.send("POST", bus, "/api/v1/notifications", "", Self.body("n1"))
            let start = ContinuousClock.now
            kill(bus.pid, SIGTERM)
            #expect(await bus.says(" stopping"))
            #expect(bus.terminate() == 1)
            #expect(ContinuousClock.now - start < .seconds(2))
        }
    }

    @Test("channels and bank links that an operator stopped are stopped after kill -9, and metrics say so")
    func pauses() async throws {
        try await World.with(inbound: Self.inbound, asksBank: true) { world in
            world.sandbox.bank.change { $0.authorized = ["anna"] }
            var bus = try await world.startBus()
            for item in ["apns", "soap_bank"] {
                let answer = try await world.admin("POST", bus, "/channels/bank/\(item)/pause", token: "operator")
                #expect(answer.status == 204)
            }
            #expect(try await world.admin("POST", bus, "/channels/bank/nobody/pause", token: "operator").status == 404)
            bus.kill9()
            bus = try await world.startBus()
            func metrics() async throws -> String {
                String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
            }
            let text = try await metrics()
            for line in [
                #"busd_channel_state{pipeline="bank",channel="apns",state="paused"} 1"#,
                #"busd_channel_state{pipeline="bank",channel="apns",state="working"} 0"#,
                #"busd_channel_state{pipeline="bank",channel="fcm",state="working"} 1"#,
                #"busd_channel_state{pipeline="bank",channel="soap_bank",state="paused"} 1"#,
                #"busd_callbacks_waiting{pipeline="bank",link="soap_bank"} 0"#,
                "\nbusd_store_errors_total 0\n", "\nbusd_store_bytes ", "\nbusd_store_free_bytes ",
            ] { #expect(text.contains(line), "\(line) is not in \(text)") }
            #expect(await bus.says("stopped by an operator, and still is pipeline=bank channel=soap_bank"))
            for item in ["apns", "soap_bank"] {
                _ = try await world.admin("POST", bus, "/channels/bank/\(item)/resume", token: "operator")
            }
            #expect(try await metrics().contains(#"channel="soap_bank",state="working"} 1"#))
            #expect(bus.terminate() == 0)
        }
    }

    @Test("a second bus at a link of the store, a lost log and an emptied store are refused with words")
    func store() async throws {
        try await World.with(inbound: Self.inbound) { world in
            let bus = try await world.startBus()
            _ = try await world.send("POST", bus, "/api/v1/notifications", "", Self.body("n1"))
            let files = FileManager.default
            let store = world.folder.appending(path: "busd.db").path
            try files.linkItem(atPath: store, toPath: world.folder.appending(path: "other.db").path)
            func start(_ name: String) async throws -> ProgramResult {
                let text =
                    "listen: 127.0.0.1:0\nadmin: { listen: 127.0.0.1:0 }\nstore: sqlite:\(name)\npipelines: [bank.yaml]\n"
                try world.write("second.yaml", text)
                return try await OtherProgram.run(
                    BusProcess.program,
                    ["run", "--config", "second.yaml"],
                    in: world.folder
                )
            }
            let second = try await start("other.db")
            #expect(second.status == 1)
            #expect(second.error.contains("is in use by another busd"), "\(second.error)")
            bus.kill9()
            try files.removeItem(atPath: store + "-wal")
            let lost = try await start("busd.db")
            #expect(lost.status == 1)
            #expect(lost.error.contains("confirmed commits are missing"), "\(lost.error)")
            try Data().write(to: URL(filePath: store))
            let emptied = try await start("busd.db")
            #expect(emptied.status == 1)
            #expect(emptied.error.contains("the file is empty"), "\(emptied.error)")
        }
    }
}
