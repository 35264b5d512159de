// SPDX-License-Identifier: Apache-2.0

import Bus
import MobileApp
import Synchronization
import TestSupport
import Testing
import YAML

/// What was logged.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var log: Log {
        Log(minimum: .debug) { level, message, fields in
            self.lines.withLock { $0.append("\(level) \(message) \(fields)") }
        }
    }
}

/// An adapter with a fake bus behind it.
struct Mobile {
    static let front = "front-server-token"
    static let oneApp = """
        path: /mobile/v1
        authorization: none
        trusted: { bearer: [other-front-token, \(front)] }
        apps:
          - id: retail
            settings: { colour: red, "minimum version": "1.10", "on": true }
        """
    static let twoApps = oneApp + "\n  - { id: biz, platform: ANDROID, bundle: com.bank.biz }\n"

    let intake: RecordingIntake
    let logged = LogLines()
    let door = RecordingDoorkeeper()
    let route: HTTPRoute

    init(_ reply: Reply = .done, settings: String = oneApp) throws {
        intake = RecordingIntake(reply)
        let settings = try MobileAppSettings.read(YAML.parse(settings, file: "p.yaml"))
        let context = ModuleContext(pipeline: "megabank", label: "mobile_app", log: logged.log, intake: intake, door: door)
        let adapter = MobileAppAdapter(settings: settings, context: context)
        route = try #require(adapter.routes.first)
    }

    func call(
        _ method: String,
        _ path: String,
        body: String = "",
        bearer: String? = nil,
        headers: [(name: String, value: String)] = []
    ) async -> Answer {
        Answer(await respond(method, path, body: body, bearer: bearer, headers: headers))
    }

    func respond(
        _ method: String,
        _ path: String,
        body: String = "",
        bearer: String? = nil,
        headers: [(name: String, value: String)] = []
    ) async -> HTTPResponse {
        var headers = headers
        if let bearer { headers.append(("Authorization", "Bearer \(bearer)")) }
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let request = HTTPRequest(
            method: method,
            path: "/mobile/v1" + (parts.first ?? ""),
            query: parts.count > 1 ? parts[1] : "",
            headers: HTTPHeaders(headers),
            body: Array(body.utf8)
        )
        return await route.serve(request)
    }
}

/// The body of a registration, some members changed; `nil` takes one away.
func registration(_ changes: [String: String?] = [:]) -> String {
    var members: [String: String] = [
        "appId": #""retail""#, "userId": #""ivanov""#, "deviceId": #""phone-1""#, "platform": #""IOS""#,
        "token": #""00ff""#,
    ]
    for (key, value) in changes { members[key] = value }
    return "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
}
