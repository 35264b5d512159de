// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

@Suite("A bank over REST", .timeLimit(.minutes(5)))
struct RESTTests {
    private static let inbound = "  - rest_bank: { path: /api/v1, auth: { bearer: [bank-token] } }"
    private static let bearer = (name: "Authorization", value: "Bearer bank-token")

    private static func notification(_ id: String, to users: String) -> String {
        """
        {"id": "\(id)", "recipients": [\(users)], "timeout": 600,
         "pushContent": {"badge": 0, "text": "привет", "type": "UNIVERSAL"}}
        """
    }

    @Test("a notification sent over REST arrives, and its bank hears of it in its own spelling")
    func journey() async throws {
        try await World.with(inbound: Self.inbound) { world in
            let bus = try await world.startBus()
            let token = String(repeating: "cd", count: 32)
            #expect(try await world.register("ivanov", device: "d1", token: token, at: bus).status == 201)
            func call(_ method: String, _ path: String, _ body: String = "") async throws -> (Int, JSONValue?) {
                let answer = try await world.send(method, bus, "/api/v1\(path)", "", body, headers: [Self.bearer])
                return (answer.status, try? JSONValue(parsing: answer.body))
            }
            let body = Self.notification("n/1", to: #""IVANOV", "nobody""#)
            let sent = try await call("POST", "/notifications", body)
            #expect(sent.0 == 202)
            #expect(
                sent.1 == ["status": "OK", "deliveryStatus": ["IVANOV": "QUEUED", "nobody": "INVALID_SUBSCRIPTION"]]
            )
            await world.sandbox.apns.arrived(1)
            #expect(try await call("POST", "/notifications", body).1?["code"] == "DUPLICATED_ENTITY")
            #expect(try await world.status(of: "n/1", at: bus, becomes: "SENT").contains("<key>IVANOV</key>"))
            let status = try await call("GET", "/notifications/n%2F1/status")
            #expect(status.1?["deliveryStatus"]?["IVANOV"] == "SENT")
            let timeline = try await call("GET", "/notifications/n%2F1/timeline").1?["events"]?.array ?? []
            let mine = timeline.filter { $0["recipient"] == "IVANOV" }.compactMap { $0["event"]?.string }
            #expect(mine == ["accepted", "sent"])
            let found = try await call("GET", "/notifications/n%2F1")
            #expect(found.1?["notification"]?["recipients"] == ["IVANOV", "nobody"])
            #expect(try await call("GET", "/subscriptions/IvAnOv").1?["exists"] == true)
            #expect(try await call("DELETE", "/subscriptions/IvAnOv").0 == 200)
            #expect(try await call("GET", "/subscriptions/ivanov").1?["exists"] == false)
            #expect(try await call("DELETE", "/subscriptions/ivanov").0 == 404)
        }
    }

    @Test("schemathesis finds nothing against the running bus, with made-up ids and with ids that exist")
    func schemathesis() async throws {
        try await World.with(inbound: Self.inbound) { world in
            let bus = try await world.startBus()
            try await Self.schemathesis(world, bus, examples: 50)
            #expect(try await world.register("anna", device: "d1", token: "ab", at: bus).status == 201)
            let headers = [Self.bearer]
            let body = Self.notification("n1", to: #""anna""#)
            let sent = try await world.send("POST", bus, "/api/v1/notifications", "", body, headers: headers)
            #expect(sent.status == 202)
            try world.write("schemathesis.toml", "[parameters]\n\"path.id\" = \"n1\"\n\"path.user\" = \"anna\"\n")
            try await Self.schemathesis(world, bus, examples: 10, "--report", "har", "--report-har-path", "calls.har")
            let answers = try Self.answers(in: world.folder.appending(path: "calls.har"))
            for call in [
                "POST notifications 202", "GET n1 200", "GET status 200", "GET timeline 200", "GET anna 200",
                "DELETE anna 200",
            ] { #expect(answers.contains(call), "\(call): \(answers)") }
            #expect(bus.terminate() == 0, "\(bus.log)")
        }
    }

    private static func schemathesis(
        _ world: World,
        _ bus: BusProcess,
        examples: Int,
        _ options: String...
    ) async throws {
        let result = try await OtherProgram.foreign(
            "schemathesis",
            [
                "run", "http://127.0.0.1:\(bus.port)/api/v1/openapi.json",
                "--header", "Authorization: Bearer bank-token",
                "--seed", "20260801", "--max-examples", "\(examples)", "--no-color",
            ] + options,
            in: world.folder
        )
        #expect(result.status == 0, "\(result.output)\(result.error)")
        #expect(result.output.contains("Operations:       6 selected / 6 total"), "\(result.output)")
        #expect(bus.isRunning)
    }

    private struct CallLog: Decodable {
        struct Log: Decodable { let entries: [Entry] }
        struct Entry: Decodable {
            let request: Request
            let response: Response
        }
        struct Request: Decodable {
            let method: String
            let url: String
        }
        struct Response: Decodable { let status: Int }

        let log: Log
    }

    /// `METHOD LAST-PART-OF-THE-PATH STATUS` of every call in a log of calls.
    private static func answers(in file: URL) throws -> Set<String> {
        let log = try JSONDecoder().decode(CallLog.self, from: Data(contentsOf: file)).log
        return Set(
            log.entries.map { entry in
                let path = entry.request.url.split(separator: "?").first ?? ""
                return "\(entry.request.method) \(path.split(separator: "/").last ?? "") \(entry.response.status)"
            }
        )
    }
}
