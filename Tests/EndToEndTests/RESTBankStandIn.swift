// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTPServer
import JSON
import Synchronization
import Testing

/// A bank that speaks REST: keeps what it is told, answers questions, and looks at every signature.
final class RESTBankStandIn: Sendable {
    /// What it knows and how it fares.
    struct Script: Sendable {
        var isDown = false
        var authorized: Set<String> = []
        var unknownClients: Set<String> = []
        var code = "123456"
    }

    struct Call: Sendable {
        let path: String
        let body: JSONValue
        let isSigned: Bool
        let status: Int
    }

    static let secret = "between us"

    private let state = Mutex((script: Script(), calls: [Call]()))

    /// Runs `body` with a bank at a URL, gone afterwards.
    static func with<Result>(_ body: (RESTBankStandIn, _ url: String) async throws -> Result) async throws -> Result {
        let bank = RESTBankStandIn()
        let route = HTTPRoute(.below, path: "/bank", methods: ["POST"]) { bank.answer($0) }
        let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: [route])
        do {
            let port = try #require(server.addresses.first).port
            let result = try await body(bank, "http://127.0.0.1:\(port)/bank")
            await server.stop(drain: .zero)
            return result
        } catch {
            await server.stop(drain: .zero)
            throw error
        }
    }

    /// All calls, also those it did not take.
    var calls: [Call] { state.withLock { $0.calls } }

    /// `NOTIFICATION USER` of what it took of an event.
    func heard(_ event: String) -> [String] {
        calls.filter { $0.path == "/bank" && $0.status == 204 && $0.body["event"]?.string == event }.flatMap { call in
            let users = call.body["userIds"]?.array ?? []
            return users.map { "\(call.body["notificationId"]?.string ?? "") \($0.string ?? "")" }
        }
    }

    func change(_ body: (inout Script) -> Void) { state.withLock { body(&$0.script) } }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        let body = (try? JSONValue(parsing: request.body)) ?? .null
        let code = Hex.encode(HMACSHA256.code(for: request.body, key: Array(Self.secret.utf8)))
        let isSigned = request.headers["X-Busd-Signature"] == "sha256=\(code)"
        return state.withLock { state in
            let (status, text) = Self.decide(request.path, body, &state.script)
            state.calls.append(Call(path: request.path, body: body, isSigned: isSigned, status: status))
            return HTTPResponse(status: status, contentType: "application/json", body: Array(text.utf8))
        }
    }

    private static func decide(_ path: String, _ body: JSONValue, _ script: inout Script) -> (Int, String) {
        if script.isDown { return (503, "") }
        if path == "/bank" { return (204, "") }
        if script.unknownClients.contains(body["bankClientId"]?.string ?? "") {
            return (404, #"{"code": "BankClientNotExistsException"}"#)
        }
        let user = body["userId"]?.string ?? ""
        switch path {
        case "/bank/subscriptions/check": return (200, #"{"authorized": \#(script.authorized.contains(user))}"#)
        case "/bank/subscriptions/authorize": return (200, #"{"result": "OK"}"#)
        case "/bank/subscriptions/verify":
            let isRight = body["verificationCode"]?.string == script.code
            return (200, isRight ? #"{"result": "OK"}"# : #"{"result": "VERIFICATION_FAILED"}"#)
        default: return (404, "")
        }
    }
}
