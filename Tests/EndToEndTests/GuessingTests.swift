// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Foundation
import HTTPClient
import Testing
import Threads

/// Callers who are not who they say they are.
@Suite("Guesses and replays", .timeLimit(.minutes(2)))
struct GuessingTests {
    private static let inbound = "  - rest_bank: { path: /api/v1, auth: { bearer: [right-token] } }"

    private func ask(_ world: World, _ bus: BusProcess, _ token: String) async throws -> Int {
        let headers = [(name: "Authorization", value: "Bearer \(token)")]
        return try await world.send("GET", bus, "/api/v1/subscriptions/+79001234567", headers: headers).status
    }

    @Test("guesses are counted by door and reason, logged without a name, and answered ever later; the bank is not")
    func guesses() async throws {
        try await World.with(inbound: Self.inbound) { world in
            let bus = try await world.startBus()
            let began = MonotonicTime.now()
            for number in 0..<9 { #expect(try await ask(world, bus, "guess-\(number)") == 401) }
            let took = MonotonicTime.now().milliseconds(since: began)
            // 0.1, 0.2, 0.4 and 0.8 seconds from the sixth on.
            #expect(took >= 1_500, "\(took) ms")
            let right = MonotonicTime.now()
            #expect(try await ask(world, bus, "right-token") == 200)
            #expect(MonotonicTime.now().milliseconds(since: right) < 700)
            let wrong = try await world.admin("GET", bus, "/quarantine", token: "wrong")
            #expect(wrong.status == 401)
            let metrics = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
            let name = "busd_refused_calls_total"
            let counted = "\(name){pipeline=\"bank\",door=\"rest_bank\",reason=\"wrong_credentials\"} 9"
            #expect(metrics.contains(counted), "\(metrics)")
            #expect(metrics.contains("\(name){pipeline=\"\",door=\"admin\",reason=\"wrong_credentials\"} 1"))
            #expect(bus.terminate() == 0)
            let lines = bus.log.split(separator: "\n").filter { $0.contains("a call was refused") }
            #expect((2...5).contains(lines.count), "\(bus.log)")
            #expect(lines.contains { $0.contains("peer=127.0.0.1") && $0.contains("path=/api/v1/subscriptions") })
            #expect(!bus.log.contains("7900") && !bus.log.contains("guess-"))
        }
    }

    @Test("who does not know the password is turned away with not a byte of his body read")
    func beforeTheBody() async throws {
        let bank = "auth: { basic: { username: bank, password: pass } }"
        try await World.with(bank: bank, inbound: Self.inbound) { world in
            let bus = try await world.startBus()
            for path in [World.soapPath, "/api/v1/notifications", "/mobile/v1/receipts"] {
                let head =
                    "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\nContent-Type: text/xml\r\n\r\n"
                let answer = try await RawCaller.call(port: bus.port) { _ = $0.write(Array(head.utf8)) }
                #expect(answer.status == 401, "\(path)")
                #expect(answer.text.contains("Connection: close"), "\(path)")
            }
            #expect(bus.terminate() == 0)
        }
    }

    /// A call whose UsernameToken is good now, and once.
    private static func signed() -> String {
        let created = Timestamp.text(WallTime.now())
        let nonce = Array("nonce".utf8)
        let digest = Base64.encode(SHA1.hash(nonce + Array(created.utf8) + Array("pass".utf8)))
        let wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
        return """
            <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header><w:Security xmlns:w="\(wsse)">\
            <w:UsernameToken><w:Username>bank</w:Username><w:Password Type="x#PasswordDigest">\(digest)</w:Password>\
            <w:Nonce>\(Base64.encode(nonce))</w:Nonce><w:Created>\(created)</w:Created></w:UsernameToken></w:Security>\
            </s:Header><s:Body><checkSubscriptionExists><user>anna</user></checkSubscriptionExists></s:Body></s:Envelope>
            """
    }

    @Test("a digest that was answered is good nowhere again: not at another door, not after a kill")
    func replay() async throws {
        let auth = "auth: { ws_security: { username: bank, password: pass } }"
        let other = "  - soap_bank: { path: /other, \(auth) }\n    name: other"
        try await World.with(bank: auth, inbound: other) { world in
            let bus = try await world.startBus()
            let envelope = Self.signed()
            func post(_ path: String, _ bus: BusProcess) async throws -> Int {
                try await world.send("POST", bus, path, "text/xml; charset=utf-8", envelope).status
            }
            #expect(try await post(World.soapPath, bus) == 200)
            #expect(try await post("/other", bus) == 500)
            bus.kill9()
            let again = try await world.startBus()
            #expect(try await post("/other", again) == 500)
            #expect(try await post(World.soapPath, again) == 500)
            let metrics = String(decoding: try await world.admin("GET", again, "/metrics").body, as: UTF8.self)
            let counted = "{pipeline=\"bank\",door=\"other\",reason=\"replayed\"} 1"
            #expect(metrics.contains(counted), "\(metrics)")
            #expect(again.terminate() == 0)
        }
    }

    @Test("guesses at a device's secret lock nobody out, and tell nobody that it exists")
    func secrets() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            let secret = try #require(try await world.register("anna", device: "d1", token: "00ff", at: bus).secret)
            func end(_ device: String, _ secret: String) async throws -> HTTPClientResponse {
                let headers = [(name: "Authorization", value: "Bearer \(secret)")]
                return try await world.send("DELETE", bus, "/mobile/v1/devices/\(device)", headers: headers)
            }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<35 { group.addTask { try await end("d1", "guess-\(number)").status } }
                for try await status in group { #expect(status == 401) }
            }
            let wrong = try await end("d1", "guess")
            let unknown = try await end("nowhere", "guess")
            #expect(wrong.status == unknown.status)
            #expect(wrong.body == unknown.body)
            let asked = try await world.send("GET", bus, "/mobile/v1/devices/d1?appId=retail&userId=anna")
            #expect(asked.status == 200)
            #expect(try await end("d1", secret).status == 204)
            #expect(bus.terminate() == 0)
        }
    }
}
