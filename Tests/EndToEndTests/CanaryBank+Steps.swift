// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

/// The paths that secrets take.
extension CanaryBank {
    /// Says secrets in requests that the bus must refuse.
    func beRefused(by bus: BusProcess) async throws {
        let pin = Self.pin
        let envelope = SOAPText.envelope(SOAPText.notification("x", to: ["anna"], text: pin))
        func basic(_ pair: String) -> String { "Basic \(Data(pair.utf8).base64EncodedString())" }
        let wrong = basic("megabank:falsches-kennwort")
        #expect(try await soap(envelope, "/basic", authorization: wrong, at: bus) != 200)
        #expect(try await soap(Self.signed("falsches-kennwort", envelope), "/ws", at: bus) != 200)
        let broken = [
            String(envelope.prefix(envelope.count - 120)), envelope.replacing("<badge>0", with: "<badge>\(pin)x"),
            envelope.replacing("UNIVERSAL", with: pin), envelope.replacing("<timeout>600", with: "<timeout>\(pin)!"),
            envelope.replacing("<text>", with: "<text><\(pin)>"), envelope.replacing("<text>", with: "<text>&\(pin);"),
            envelope.replacing("</text>", with: "</text><text>\(pin)</text>"),
            envelope.replacing("<recipients>anna</recipients>", with: "<recipients></recipients>"),
            envelope.replacing("sendNotification", with: "n\(pin)"), "<!DOCTYPE a [<!ENTITY a '\(pin)'>]><a>&a;</a>",
        ]
        for text in broken {
            #expect(try await soap(text, "/basic", authorization: basic("megabank:soap-kennwort"), at: bus) != 200)
            #expect(try await soap(text, World.soapPath, at: bus) != 200)
        }
        let json = """
            {"id": "x", "recipients": ["a"], "timeout": 5, "pushContent": {"badge": 0, "text": "\(pin)", "type": "UNIVERSAL"}}
            """
        let right = "Bearer rest-kennwort"
        for text in [
            String(json.dropLast(8)), json.replacing("UNIVERSAL", with: pin), json.replacing("5,", with: "\"\(pin)\","),
            json.replacing("[\"a\"]", with: "\"\(pin)\""), json.replacing("\"\(pin)\"", with: "{\"a\": \"\(pin)\"}"),
        ] {
            let status = try await call("POST", "/api/v1/notifications", text, authorization: right, at: bus).status
            #expect(status == 400 || status == 422)
        }
        try await call("POST", "/api/v1/notifications", json, authorization: "Bearer falsches-kennwort", at: bus)
        try await call("GET", "/api/v1/notifications/\(Self.phone)x/status", authorization: right, at: bus)
        for (platform, token) in [("IOS", Self.iphone + "zz"), ("ANDROID", Self.android + " x"), (pin, Self.iphone)] {
            #expect(try await register("bad", token, platform: platform, at: bus) == nil)
        }
        let body = #"{"token": "\#(Self.iphone)"}"#
        try await call("PUT", "/mobile/v1/devices/none/token", body, authorization: "Bearer falsches-kennwort", at: bus)
    }

    private static func signed(_ password: String, _ envelope: String) -> String {
        let space = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
        let token =
            "<w:UsernameToken><w:Username>megabank</w:Username><w:Password>\(password)</w:Password></w:UsernameToken>"
        let header = "<soapenv:Header><w:Security xmlns:w=\"\(space)\">\(token)</w:Security></soapenv:Header>"
        return envelope.replacing("<soapenv:Body>", with: "\(header)<soapenv:Body>")
    }

    /// Pushes to phones whose providers repeat token and code in everything they refuse.
    func push(over bus: BusProcess) async throws {
        let phone = try #require(await register("anna", Self.iphone, at: bus))
        _ = try await register("boris", Self.android, platform: "ANDROID", at: bus)
        echo.script([])
        var grant = PushRule(status: 200, reason: nil, times: 1)
        grant.body = "{\"access_token\":\"\(Self.accessToken)\",\"token_type\":\"Bearer\",\"expires_in\":3600}"
        world.sandbox.oauth.setRules([grant])
        let told = "\"token\":\"\(Self.iphone)\",\"text\":\"\(Self.pin)\""
        try await refuse("a1", "anna", 400, "{\"reason\":\"\(Self.iphone)\",\(told)}", at: bus)
        try await refuse("a2", "anna", 400, "{\"reason\":\"\(Self.pin)\",\(told)}", at: bus)
        try await refuse("a3", "anna", 400, "{\"reason\":\"BadDeviceToken\",\(told)}", at: bus)
        try await refuse("a4", "anna", 403, "<html>\(told)</html>", at: bus)
        let message = "Invalid value for \(Self.android): \(Self.pin)"
        let details = """
            [{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\(Self.pin)"},\
            {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\(Self.pin)","domain":"\(Self.android)"}]
            """
        let error = "{\"error\":{\"status\":\"\(Self.pin)\",\"message\":\"\(message)\",\"details\":\(details)}}"
        try await refuse("b1", "boris", 400, error, at: bus)
        try await refuse("b2", "boris", 403, error, at: bus)
        #expect(world.sandbox.fcm.records().contains { $0.status == 401 })
        // The bank is told that a code was read, and what it says is kept.
        world.sandbox.apns.setRules([])
        world.sandbox.fcm.setRules([])
        try await send("a5", to: "anna", at: bus)
        try await wait("a5", "SENT", at: bus)
        let receipt = #"{"notificationId": "a5", "subscriberId": "\#(phone.subscriber)", "event": "opened"}"#
        let answer = try await call(
            "POST",
            "/mobile/v1/receipts",
            receipt,
            authorization: "Bearer \(phone.secret)",
            at: bus
        )
        #expect(answer.status == 202)
        try await wait("a5", "READ", at: bus)
        try await refuse(
            "a6",
            "anna",
            410,
            "{\"reason\":\"Unregistered\",\"timestamp\":4102444800000,\(told)}",
            at: bus
        )
    }

    private func refuse(_ id: String, _ user: String, _ status: Int, _ body: String, at bus: BusProcess) async throws {
        var rule = PushRule(status: status, reason: nil, times: 1)
        rule.body = body
        world.sandbox.apns.setRules([rule])
        world.sandbox.fcm.setRules([rule])
        try await send(id, to: user, at: bus)
        try await wait(id, "SENT", at: bus)
    }

    /// Sends text messages over a gateway that repeats number, text and password.
    func text(over bus: BusProcess) async throws {
        let answers: [EchoStandIn.Answer] = [
            .init(status: 400), .init(status: 200, prefix: "9041: "),
            .init(status: 400, prefix: "Sender missing and no global set "),
            .init(status: 403), .init(status: 500), .init(status: 503), .init(status: 404), .init(status: 502),
        ]
        for (index, answer) in answers.enumerated() {
            echo.script([answer])
            try await send("t\(index)", to: "nobody", tag: "+\(Self.phone)", at: bus)
            let isRefused = answer.status == 400 && answer.prefix.isEmpty
            try await wait("t\(index)", isRefused ? "SENDING_FAILED" : "SENT", at: bus)
        }
        try await send("t-bad", to: "nobody", tag: "+\(Self.phone)x\(Self.phone)", at: bus)
        try await wait("t-bad", "SENDING_FAILED", at: bus)
        let last = try #require(echo.requests("/sms").last?.queryValue("dlr-url"))
        let id = try #require(last.components(separatedBy: "id=").last?.components(separatedBy: "&").first)
        keep("the name of a report", id.components(separatedBy: "-").dropFirst().joined(separator: "-"))
        let words = "stat:\(Self.pin)+err:\(Self.pin)+text:\(Self.pin)"
        let path = "/sms/reports?id=\(id)&type=2&answer=\(words)"
        #expect(try await call("GET", path, at: bus).status == 200)
        try await wait("t7", "SENDING_FAILED", at: bus)
        try await call("GET", "/sms/reports?id=1-\(Self.pin)&type=16&answer=NACK/0x\(Self.pin)/\(Self.pin)", at: bus)
    }

    /// Registers devices that must prove themselves with a code.
    func confirm(over bus: BusProcess) async throws {
        world.sandbox.bank.change { $0.code = Self.code }
        #expect(try await register("clara", Self.android, platform: "ANDROID", below: "/confirmed/app", at: bus) == nil)
        func verify(_ code: String, _ app: String) async throws -> JSONValue {
            let body = #"{"appId": "retail", "userId": "clara", "code": "\#(code)"}"#
            let answer = try await world.send(
                "POST",
                bus,
                "/\(app)/app/devices/d-clara/verification",
                "application/json",
                body
            )
            if answer.status != 201 { shown.add("a refused code", String(decoding: answer.body, as: UTF8.self)) }
            return try JSONValue(parsing: answer.body)
        }
        #expect(try await verify(Self.pin, "confirmed")["code"]?.string == "VERIFICATION_FAILED")
        let confirmed = try await verify(Self.code, "confirmed")
        keep("a subscriber's secret", try #require(confirmed["secret"]?.string))
        // Its channel's token endpoint repeats the assertion.
        try await send("c1", to: "clara", below: "/confirmed/bank", at: bus)
        #expect(try await eventually { bus.log.contains("the token endpoint says 422") })
        let form = try #require(echo.requests("/token").first.map { String(decoding: $0.body, as: UTF8.self) })
        keep("an assertion", try #require(form.components(separatedBy: "assertion=").last))

        #expect(try await register("clara", Self.android, platform: "ANDROID", below: "/coded/app", at: bus) == nil)
        let text = try #require(echo.requests("/sms").last?.queryValue("text"))
        let code = text.filter(\.isNumber)
        keep("a code of the bus's", code)
        #expect(try await verify(Self.pin, "coded")["code"]?.string == "VERIFICATION_FAILED")
        let coded = try await verify(code, "coded")
        keep("a subscriber's secret", try #require(coded["secret"]?.string))
    }

    /// Has a provider call so many phones dead that an operator must decide.
    func quarantine(over bus: BusProcess) async throws {
        let tokens = (0..<60).map { String(format: "%04x", $0) + Self.iphone }
        for (number, token) in tokens.enumerated() { _ = try await register("q\(number)", token, at: bus) }
        var rule = PushRule(status: 410, reason: nil)
        rule.body = "{\"reason\":\"Unregistered\",\"timestamp\":4102444800000,\"token\":\"\(Self.iphone)\"}"
        world.sandbox.apns.setRules([rule])
        let users = (0..<60).map { "q\($0)" }
        #expect(try await world.soap(SOAPText.notification("q", to: users, text: Self.pin), at: bus).status == 200)
        #expect(
            try await eventually {
                let text = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
                let lines = text.split(separator: "\n").filter {
                    $0.hasPrefix("busd_quarantined_total{pipeline=\"bank\"")
                }
                return lines.contains { $0.contains("apns") && !$0.hasSuffix(" 0") }
            }
        )
    }

    /// Looks at everything that operators may.
    func operate(_ bus: BusProcess) async throws {
        for path in ["/metrics", "/dead-letters", "/quarantine", "/healthz", "/readyz", "/nothing"] {
            let answer = try await world.admin("GET", bus, path, token: "admin-kennwort")
            shown.add("the admin's \(path)", String(decoding: answer.body, as: UTF8.self))
        }
        let refused = try await world.admin("GET", bus, "/dead-letters", token: "falsches-kennwort")
        #expect(refused.status == 401)
        shown.add("the admin's refusal", String(decoding: refused.body, as: UTF8.self))
        try world.write("operator.yaml", "admin: { listen: 127.0.0.1:\(bus.adminPort), token: \"${TOKEN}\" }\n")
        let ids = try JSONValue(parsing: await world.admin("GET", bus, "/dead-letters", token: "admin-kennwort").body)
        let called = ids["deadLetters"]?.array?.filter { $0["link"]?.string == "rest_bank" } ?? []
        let id = try #require(called.first?["id"]?.integer)
        let node = ["--config", "operator.yaml"]
        for words in [
            ["dead-letters", "list"], ["dead-letters", "show", "\(id)"], ["dead-letters", "replay", "\(id)"],
            ["quarantine", "list"], ["quarantine", "confirm"],
        ] { try await command(words + node, status: 0) }
        try await command(["dead-letters", "list"] + node, token: "falsches-kennwort", status: 1)
        let url = ["--url", "http://127.0.0.1:\(bus.port)/api/v1"]
        let pin = ["--text", Self.pin, "--target", Self.pin, "--type", "PIN_CODE", "--follow"]
        try await command(["send", "--id", "s1", "--to", "nobody"] + pin + url, token: "rest-kennwort", status: 1)
        try await command(["send", "--id", "s1", "--to", "nobody"] + pin + url, token: "falsches-kennwort", status: 1)
        try await command(["send", "--to", "nobody", "--text", Self.pin, "--priority", "x"] + url, status: 2)
        try await command(["check"], status: 0)
        try await command(["check", "--probe"], status: 1)
    }

    private func command(_ words: [String], token: String = "admin-kennwort", status: Int32) async throws {
        let result = try await OtherProgram.run(
            BusProcess.program,
            words,
            in: world.folder,
            environment: ["TOKEN": token, "BUSD_TOKEN": token]
        )
        let said = result.output + result.error
        #expect(result.status == status, "\(words): \(said)")
        shown.add("busd \(words[0])", said)
    }
}
