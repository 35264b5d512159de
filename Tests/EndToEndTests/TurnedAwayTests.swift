// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient
import Testing

/// What the HTTP server refuses before an adapter sees it is still in the adapter's own words.
@Suite("Turned away at the door", .timeLimit(.minutes(2)))
struct TurnedAwayTests {
    private static let inbound = "  - rest_bank: { path: /api/v1 }"
    private static let problem = "application/problem+json"

    private static func call(_ bus: BusProcess, _ line: String, _ lines: String) async throws -> RawCaller.Answer {
        let head = "\(line) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\(lines)\r\n\r\n"
        return try await RawCaller.call(port: bus.port) { caller in _ = caller.write(Array(head.utf8)) }
    }

    @Test("JSON calls get problem documents, SOAP calls faults in their version, operators a line of text")
    func words() async throws {
        try await World.with(inbound: Self.inbound) { world in
            let bus = try await world.startBus()
            let large = "Content-Length: 99999999"
            let twice = "Content-Length: 3\r\nContent-Length: 4"
            let soap = "Content-Type: text/xml; charset=utf-8"
            let soap12 = "Content-Type: application/soap+xml; charset=utf-8"
            let cases: [(line: String, lines: String, status: Int, type: String, holds: String)] = [
                ("POST /api/v1/notifications", large, 413, Self.problem, #""code":"CONTENT_TOO_LARGE""#),
                ("PROPFIND /api/v1/notifications", "X: 1", 405, Self.problem, #""code":"METHOD_NOT_ALLOWED""#),
                ("POST /api/v1/notifications", twice, 400, Self.problem, #""code":"MALFORMED_REQUEST""#),
                ("GET /api/v1/nothing", "X: 1", 404, Self.problem, #""code":"UNKNOWN_PATH""#),
                ("POST /mobile/v1/devices", large, 413, Self.problem, #""code":"CONTENT_TOO_LARGE""#),
                ("PATCH /mobile/v1/devices", "X: 1", 405, Self.problem, #""code":"METHOD_NOT_ALLOWED""#),
                ("POST /mobile/v1/receipts", twice, 400, Self.problem, #""code":"MALFORMED_REQUEST""#),
                ("GET /mobile/v1/nothing", "X: 1", 404, Self.problem, #""code":"UNKNOWN_PATH""#),
                ("POST \(World.soapPath)", "\(soap)\r\n\(large)", 413, "text/xml", ">soap:Client<"),
                ("POST \(World.soapPath)", "\(soap12)\r\n\(large)", 413, "application/soap+xml", ">soap:Sender<"),
                ("PUT \(World.soapPath)", "X: 1", 405, "text/xml", ">soap:Client<"),
                ("GET /elsewhere", "X: 1", 404, "text/plain", "not found"),
            ]
            for (line, lines, status, type, holds) in cases {
                let answer = try await Self.call(bus, line, lines)
                #expect(answer.status == status, "\(line): \(answer.text)")
                #expect(answer.text.contains("Content-Type: \(type)"), "\(line): \(answer.text)")
                #expect(answer.text.contains(holds), "\(line): \(answer.text)")
                #expect(answer.text.contains("\r\nAllow: ") == (status == 405), "\(line): \(answer.text)")
            }
            let wrong = try await world.admin("DELETE", bus, "/metrics")
            #expect(wrong.status == 405)
            #expect(wrong.headers["Content-Type"]?.hasPrefix("text/plain") == true)
            #expect(bus.terminate() == 0)
        }
    }
}
