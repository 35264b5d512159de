// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import MobileApp
import Synchronization
import Testing
import YAML

/// A bus that notes what it is given and says what the test wants.
final class FakeIntake: Intake {
    private let received = Mutex<[Message]>([])
    private let reply: Reply

    init(_ reply: Reply) { self.reply = reply }

    var messages: [Message] { received.withLock { $0 } }

    func submit(_ message: Message) async -> Reply {
        received.withLock { $0.append(message) }
        return reply
    }
}

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

    let intake: FakeIntake
    let logged = LogLines()
    private let handler: @Sendable (HTTPRequest) async -> HTTPResponse

    init(_ reply: Reply = .done, settings: String = oneApp) throws {
        intake = FakeIntake(reply)
        let settings = try MobileAppSettings.read(YAML.parse(settings, file: "p.yaml"))
        let context = ModuleContext(pipeline: "megabank", label: "mobile_app", log: logged.log, intake: intake)
        let adapter = MobileAppAdapter(settings: settings, context: context)
        handler = try #require(adapter.routes.first).handler
    }

    func call(
        _ method: String,
        _ path: String,
        body: String = "",
        bearer: String? = nil,
        headers: [(name: String, value: String)] = []
    ) async -> Answer {
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
        return Answer(await handler(request))
    }
}

/// An answer as a client sees it.
struct Answer {
    let status: Int
    let type: String
    let headers: [(name: String, value: String)]
    let text: String

    init(_ response: HTTPResponse) {
        status = response.status
        type = response.contentType
        headers = response.headers
        text = String(decoding: response.body, as: UTF8.self)
    }

    var json: JSONValue? { try? JSONValue(parsing: text) }
    var code: String? { json?["code"]?.string }
    var faultyPaths: [String] { json?["errors"]?.array?.compactMap { $0["path"]?.string } ?? [] }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Whether it is a whole problem document of this status.
    func isProblem(_ status: Int, _ code: String) -> Bool {
        self.status == status && type == "application/problem+json" && self.code == code
            && json?["status"]?.integer == Int64(status) && json?["type"]?.string == "about:blank"
            && json?["title"]?.string?.isEmpty == false && json?["detail"]?.string?.isEmpty == false
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
