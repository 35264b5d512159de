// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

/// A bank, its apps and its operators, who say what is secret to a bus and keep what they hear back.
final class CanaryBank {
    static let pem = "-----BEGIN PRIVATE KEY-----\nTOPSECRETKEY\n-----END PRIVATE KEY-----\n"
    static let pin = "90417355"
    static let phone = "79995550417"
    static let iphone = String(repeating: "ca11ab1e", count: 8)
    static let android = "cAnary:APA91bGeheim_tOken"
    static let code = "55512345"
    static let accessToken = "ya29.geheimer-Zugang"
    static let passwords = [
        "soap-kennwort", "ws-kennwort", "rest-kennwort", "sms-kennwort", "link-kennwort", "hmac-kennwort",
        "admin-kennwort", "falsches-kennwort",
    ]

    let world: World
    let echo: EchoStandIn
    let shown = Shown()
    private(set) var canaries = Canaries()

    init(_ world: World, _ echo: EchoStandIn, _ url: String) throws {
        self.world = world
        self.echo = echo
        canaries.add("a code", Self.pin)
        canaries.add("a number", Self.phone)
        canaries.add("a device token", Self.iphone)
        canaries.add("a device token", Self.iphone.uppercased())
        canaries.add("a device token", Self.android)
        canaries.add("a code of the bank's", Self.code)
        canaries.add("an access token", Self.accessToken)
        for password in Self.passwords { canaries.add("a password", password) }
        for pair in ["megabank:soap-kennwort", "busd:link-kennwort", "megabank:falsches-kennwort"] {
            canaries.add("a password", Data(pair.utf8).base64EncodedString())
        }
        let account = try String(contentsOfFile: world.sandbox.serviceAccountFile, encoding: .utf8)
        let key = try String(contentsOfFile: world.sandbox.keyFile, encoding: .utf8)
        canaries.add("APNs' key", try #require(key.split(separator: "\n").dropFirst().first).description)
        canaries.add("FCM's key", try #require(account.split(separator: "\\n").dropFirst().first).description)
        try write(account, url)
    }

    /// Three pipelines: one for notifications, one where the bank confirms registrations, one where text messages do.
    private func write(_ account: String, _ url: String) throws {
        var json = try #require(JSONSerialization.jsonObject(with: Data(account.utf8)) as? [String: Any])
        json["token_uri"] = "\(url)/token"
        try JSONSerialization.data(withJSONObject: json).write(to: world.folder.appending(path: "echo.json"))
        let gateway = "url: \"\(url)/sms\", username: gate, password: sms-kennwort, after: 100ms"
        try world.write(
            "busd.yaml",
            """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0, token: admin-kennwort }
            store: sqlite:busd.db
            pipelines: [bank.yaml, confirmed.yaml, coded.yaml]
            log: { level: debug }
            """
        )
        try world.change { text in
            text.replacing(
                "- soap_bank: { path: \(World.soapPath) }",
                with: """
                    - soap_bank: { path: \(World.soapPath) }
                      - soap_bank: { path: /basic, auth: { basic: { username: megabank, password: soap-kennwort } } }
                        name: basic
                      - soap_bank: { path: /ws, auth: { ws_security: { username: megabank, password: ws-kennwort } } }
                        name: ws
                      - rest_bank: { path: /api/v1, auth: { bearer: [rest-kennwort] } }
                    """
            )
            .replacing(
                "\ndelivery: { retry: { initial: 50ms, max: 500ms } }",
                with: """
                      - sms_gateway: { \(gateway), delivery_reports: { url: "http://127.0.0.1:9/sms/reports" } }
                      - soap_bank:
                          url: "\(url)/soap"
                          events: [expired, opened, delivered, failed]
                          auth: { basic: { username: busd, password: link-kennwort } }
                      - rest_bank: { url: "\(url)/rest", events: [opened, failed], secret: hmac-kennwort }
                    delivery: { retry: { initial: 50ms, max: 500ms }, give_up_after: 2s }
                    """
            )
        }
        let fcm =
            "endpoint: \(world.sandbox.fcm.endpoint), service_account: echo.json, ca: \(world.sandbox.authorityFile)"
        try world.write(
            "confirmed.yaml",
            """
            pipeline: confirmed
            inbound:
              - rest_bank: { path: /confirmed/bank, auth: { bearer: [rest-kennwort] } }
              - mobile_app: { path: /confirmed/app, authorization: bank, apps: [{ id: retail }] }
            outbound:
              - fcm: { \(fcm) }
              - soap_bank: { url: "\(world.sandbox.bank.url)" }
            """
        )
        try world.write(
            "coded.yaml",
            """
            pipeline: coded
            inbound:
              - mobile_app: { path: /coded/app, authorization: sms_code, apps: [{ id: retail }] }
            outbound:
              - fcm: { \(fcm) }
              - sms_gateway: { \(gateway) }
            """
        )
    }

    // MARK: Calls

    /// Makes a call and keeps its answer among what is shown.
    @discardableResult
    func call(
        _ method: String,
        _ path: String,
        _ body: String = "",
        type: String = "application/json",
        authorization: String? = nil,
        at bus: BusProcess
    ) async throws -> HTTPClientResponse {
        let headers = authorization.map { [(name: "Authorization", value: $0)] } ?? []
        let answer = try await world.send(method, bus, path, type, body, headers: headers)
        shown.add("the answer to \(method) \(path)", String(decoding: answer.body, as: UTF8.self))
        return answer
    }

    func soap(_ body: String, _ path: String, authorization: String? = nil, at bus: BusProcess) async throws -> Int {
        try await call("POST", path, body, type: "text/xml", authorization: authorization, at: bus).status
    }

    /// Registers a device; what it is told is secret.
    func register(
        _ user: String,
        _ token: String,
        platform: String = "IOS",
        below path: String = "/mobile/v1",
        at bus: BusProcess
    ) async throws -> (subscriber: String, secret: String)? {
        let body = """
            {"appId": "retail", "userId": "\(user)", "bankClientId": "7", "deviceId": "d-\(user)", \
            "platform": "\(platform)", "token": "\(token)", "phone": "+\(Self.phone)"}
            """
        let answer = try await world.send("POST", bus, "\(path)/devices", "application/json", body)
        let json = try JSONValue(parsing: answer.body)
        guard let subscriber = json["subscriberId"]?.string, let secret = json["secret"]?.string else {
            shown.add("the answer to a registration", String(decoding: answer.body, as: UTF8.self))
            return nil
        }
        canaries.add("a subscriber's secret", secret)
        return (subscriber, secret)
    }

    /// Sends a code, over REST; with a number in it where `tag` is one.
    func send(
        _ id: String,
        to user: String,
        timeout: Int = 600,
        tag: String? = nil,
        below path: String = "/api/v1",
        at bus: BusProcess
    ) async throws {
        let tags = tag.map {
            #", "pushDetails": {"name": "\#(Self.pin)", "tags": [{"key": "phone", "value": "\#($0)"}]}"#
        }
        let body = """
            {"id": "\(id)", "recipients": ["\(user)"], "timeout": \(timeout), "pushContent": {"badge": 0, \
            "text": "The code \(Self.pin)", "type": "PIN_CODE", "target": "\(Self.pin)"}\(tags ?? "")}
            """
        let answer = try await call(
            "POST",
            "\(path)/notifications",
            body,
            authorization: "Bearer rest-kennwort",
            at: bus
        )
        #expect(answer.status == 202, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    /// Waits until a notification's one recipient has a status, and keeps its timeline.
    func wait(_ id: String, _ status: String, below path: String = "/api/v1", at bus: BusProcess) async throws {
        func ask(_ what: String) async throws -> String {
            let header = [(name: "Authorization", value: "Bearer rest-kennwort")]
            let answer = try await world.send("GET", bus, "\(path)/notifications/\(id)/\(what)", headers: header)
            return String(decoding: answer.body, as: UTF8.self)
        }
        let isSo = try await eventually { try await ask("status").contains("\"\(status)\"") }
        let timeline = try await ask("timeline")
        let statuses = try await ask("status")
        #expect(isSo, "\(id) is not \(status): \(statuses) \(timeline)")
        shown.add("the timeline of \(id)", timeline)
    }

    /// Notes what only this run made.
    func keep(_ name: String, _ secret: String) { canaries.add(name, secret) }
}
