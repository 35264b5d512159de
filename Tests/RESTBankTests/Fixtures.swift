// SPDX-License-Identifier: Apache-2.0

import Bus
import RESTBank
import TestSupport
import Testing
import YAML

/// The adapter with a fake bus behind it.
struct Bank {
    let intake: RecordingIntake
    let door = RecordingDoorkeeper()
    private let route: HTTPRoute

    init(_ reply: Reply = .accepted([]), options: String = "") throws {
        intake = RecordingIntake(reply)
        let settings = try RESTBankSettings.read(YAML.parse("path: /api/v1\n" + options, file: "p.yaml"))
        let log = Log(minimum: .error) { _, _, _ in }
        let context = ModuleContext(pipeline: "p", label: "rest_bank", log: log, intake: intake, door: door)
        route = try #require(RESTBank(settings: settings, context: context).routes.first)
    }

    func call(
        _ method: String,
        _ path: String,
        body: String = "",
        headers: [(name: String, value: String)] = []
    ) async -> Answer {
        let request = HTTPRequest(
            method: method,
            path: "/api/v1" + path,
            headers: HTTPHeaders(headers),
            body: Array(body.utf8)
        )
        return Answer(await route.serve(request))
    }

    func send(_ body: [UInt8], headers: [(name: String, value: String)]) async -> Answer {
        let headers = HTTPHeaders(headers)
        return Answer(
            await route.serve(HTTPRequest(method: "POST", path: "/api/v1/notifications", headers: headers, body: body))
        )
    }

    func send(_ body: String) async -> Answer { await call("POST", "/notifications", body: body) }

    /// The one notification that got through.
    func notification() throws -> Notification {
        let notifications = intake.messages.compactMap { message in
            if case .notification(let notification) = message { notification } else { nil }
        }
        #expect(notifications.count == 1)
        return try #require(notifications.first)
    }
}

extension Answer {
    /// `path message` of every field at fault.
    var faultLines: [String] { faults.map { "\($0.path) \($0.detail)" } }
}

/// A request body: a plain notification with members changed; `nil` takes one away.
func body(_ changes: [String: String?] = [:], content: [String: String?] = [:]) -> String {
    func object(_ members: [String: String], _ changes: [String: String?]) -> String {
        let all = members.merging(changes) { $1 }.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
        return "{\(all.joined(separator: ","))}"
    }
    let content = object(["badge": "0", "text": #""hello""#, "type": #""UNIVERSAL""#], content)
    return object(["id": #""n1""#, "recipients": #"["ivanov"]"#, "timeout": "60", "pushContent": content], changes)
}

extension [String: String] {
    fileprivate func merging(_ changes: [String: String?], _ choose: (String?, String?) -> String?) -> [String: String?]
    {
        mapValues { $0 as String? }.merging(changes, uniquingKeysWith: choose)
    }
}
