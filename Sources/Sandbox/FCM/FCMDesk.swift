// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON

/// The FCM stand-in without a network: HTTP v1 requests in, reactions out.
///
/// It checks what FCM checks, and beyond that refuses what FCM only ignores.
struct FCMDesk: PushDesk {
    private static let path = "/v1/projects/\(ServiceAccountKey.project)/messages:send"

    let book: AccessTokenBook
    var rules = PushRules()
    var records: RecordRing<PushRecord>

    init(book: AccessTokenBook, capacity: Int) {
        self.book = book
        records = RecordRing(capacity: capacity)
    }

    mutating func react(to request: PushRequest, on connection: UInt64, at now: Int64) -> PushReaction {
        guard let project = Self.project(request) else {
            let page = Array("<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>".utf8)
            return PushReaction(act: .answer(status: 404, fields: ["content-type": "text/html"], body: page))
        }
        let reaction: PushReaction
        var label: (status: Int, reason: String)
        // What stands where the token belongs is recorded also where the message is refused.
        var token = (try? JSONValue(parsing: request.body))?["message"]?["token"]?.string ?? ""
        do throws(FCMError) {
            try checkSender(request, now)
            guard project == ServiceAccountKey.project else { throw .noProject }
            token = try MessageChecks().check(request.body)
            let rule = rules.take(for: token, on: connection, at: now) ?? PushRule()
            reaction = rule.reaction { Self.answer(rule) }
            label = rule.label
        } catch {
            reaction = PushReaction(act: Self.answer(error))
            label = (error.status, error.label)
        }
        records.append(
            PushRecord(
                at: now,
                connection: Int(connection),
                token: token,
                headers: request.headers.filter { $0.name != "authorization" },
                body: request.body,
                status: label.status,
                reason: label.reason
            )
        )
        return reaction
    }

    /// The project in the path; `nil` where it is another path.
    private static func project(_ request: PushRequest) -> String? {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[1] == "v1", parts[2] == "projects", parts[4] == "messages:send",
            request.method == "POST"
        else { return nil }
        return String(parts[3])
    }

    private func checkSender(_ request: PushRequest, _ now: Int64) throws(FCMError) {
        guard let header = request.header("authorization"), header.lowercased().hasPrefix("bearer ") else {
            throw .noCredentials
        }
        guard book.isValid(String(header.dropFirst("bearer ".count)), at: now) else { throw .badCredentials }
    }

    private static func answer(_ rule: PushRule) -> PushReaction.Act {
        var fields = ["content-type": "application/json; charset=UTF-8"]
        fields["retry-after"] = rule.retryAfter
        if let body = rule.body {
            fields["content-type"] = "text/html"
            return .answer(status: rule.status, fields: fields, body: Array(body.utf8))
        }
        guard rule.status == 200 else {
            return .answer(
                status: rule.status,
                fields: fields,
                body: FCMError(rule.status, errorCode: rule.reason).json
            )
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("name")
        writer.string("projects/\(ServiceAccountKey.project)/messages/\(UUIDText.random())")
        writer.endObject()
        return .answer(status: 200, fields: fields, body: writer.bytes)
    }

    private static func answer(_ error: FCMError) -> PushReaction.Act {
        .answer(status: error.status, fields: ["content-type": "application/json; charset=UTF-8"], body: error.json)
    }
}
