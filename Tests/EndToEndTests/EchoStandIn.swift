// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import HTTPServer
import JSON
import Synchronization
import Testing

/// A bank, a gateway and a token endpoint that refuse everything and repeat all that they were told, as many a service
/// does in its error pages.
final class EchoStandIn: Sendable {
    /// What the gateway answers before the echo.
    struct Answer: Sendable {
        var status: Int
        var prefix = ""
    }

    private let state = Mutex((answers: [Answer](), requests: [HTTPRequest]()))

    /// Runs `body` with such a service at a URL, gone afterwards.
    static func with<Result>(_ body: (EchoStandIn, _ url: String) async throws -> Result) async throws -> Result {
        let echo = EchoStandIn()
        let route = HTTPRoute(.below, path: "/echo", methods: ["GET", "POST"]) { echo.answer($0) }
        let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: [route])
        do {
            let result = try await body(echo, "http://127.0.0.1:\(try #require(server.addresses.first).port)/echo")
            await server.stop(drain: .zero)
            return result
        } catch {
            await server.stop(drain: .zero)
            throw error
        }
    }

    /// What it was told at a path below its URL.
    func requests(_ path: String) -> [HTTPRequest] {
        state.withLock { state in state.requests.filter { $0.path == "/echo" + path } }
    }

    /// What the gateway answers to the next calls; to those beyond with 202.
    func script(_ answers: [Answer]) { state.withLock { $0.answers = answers } }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        let gateway = state.withLock { state -> Answer in
            state.requests.append(request)
            guard request.path == "/echo/sms", request.queryValue("to") != nil, !state.answers.isEmpty else {
                return Answer(status: 202)
            }
            return state.answers.removeFirst()
        }
        let told = Self.told(request)
        switch request.path {
        case "/echo/sms": return HTTPResponse(status: gateway.status, text: gateway.prefix + told)
        case "/echo/soap": return HTTPResponse(status: 500, contentType: "text/xml", body: Array(Self.fault(told).utf8))
        default: return HTTPResponse(status: 422, contentType: "application/json", body: Self.problem(told))
        }
    }

    private static func told(_ request: HTTPRequest) -> String {
        let words = ["text", "to", "username", "password"].compactMap { request.queryValue($0) }
        let body = String(decoding: request.body, as: UTF8.self)
        let assertion = body.components(separatedBy: "assertion=").last ?? ""
        return ([assertion, request.headers["Authorization"] ?? "", request.query, body] + words).joined(separator: " ")
    }

    private static func fault(_ told: String) -> String {
        let text = told.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return """
            <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault>\
            <faultcode>soap:Client</faultcode><faultstring>\(text)</faultstring></soap:Fault></soap:Body></soap:Envelope>
            """
    }

    /// Also the shape of a token endpoint's refusal.
    private static func problem(_ told: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for key in ["error", "error_description", "code", "detail"] {
            writer.key(text: key)
            writer.string(told)
        }
        writer.endObject()
        return writer.bytes
    }
}
