// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON
import Testing

@testable import Sandbox

struct FCMDeskTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let path = "/v1/projects/busd-sandbox/messages:send"
    private let book = AccessTokenBook(lifetime: 3599)
    private var desk: FCMDesk

    init() { desk = FCMDesk(book: book, capacity: 100) }

    /// `200`, or the status with what the answer's details say, or the name of the effect.
    private mutating func outcome(
        _ message: String,
        path: String = FCMDeskTests.path,
        method: String = "POST",
        bearer: String? = nil
    ) -> String {
        let token = bearer ?? book.issue(at: Self.now).token
        let request = PushRequest(
            method: method,
            path: path,
            headers: [("authorization", "Bearer \(token)")],
            body: Array(message.utf8)
        )
        guard case .answer(let status, _, let body) = desk.react(to: request, on: 1, at: Self.now).act else {
            return desk.records.all.last?.reason ?? ""
        }
        guard let error = (try? JSONValue(parsing: body))?["error"] else { return "\(status)" }
        let details = error["details"]?.array ?? []
        let words = details.compactMap { detail in
            detail["errorCode"]?.string ?? detail["reason"]?.string
                ?? detail["fieldViolations"]?.array?.first?["field"]?.string
        }
        return ([String(status)] + words).joined(separator: " ")
    }

    @Test(
        "What FCM refuses is refused with the field that is wrong, also what it only ignores",
        arguments: [
            (#"{"message":{"token":"a:b"}}"#, "200"),
            (#"{"validate_only":true,"message":{"token":"a","notification":{"title":"t","body":"b"}}}"#, "200"),
            (#"{"message":{"token":"a","android":{"collapseKey":"c","ttl":"3.5s","priority":"high"}}}"#, "200"),
            (#"{"message":{"topic":"news"}}"#, "200"),
            ("{", "400 "), ("[]", "400 "), ("{}", "400 message"), (#"{"message":{}}"#, "400 message"),
            (#"{"message":{"token":"a","topic":"b"}}"#, "400 message"),
            (#"{"message":{"token":7}}"#, "400 message.token"),
            (#"{"message":{"token":"a","data":{"n":12}}}"#, "400 message.data[0].value"),
            (#"{"message":{"token":"a","data":{"from":"x"}}}"#, "400 message.data"),
            (#"{"message":{"token":"a","data":{"google.x":"x"}}}"#, "400 message.data"),
            (#"{"message":{"token":"a","colour":"x"}}"#, "400 message"),
            (#"{"message":{"token":"a","android":{"ttl":"60"}}}"#, "400 message.android.ttl"),
            (#"{"message":{"token":"a","android":{"ttl":"-1s"}}}"#, "400 message.android.ttl"),
            (#"{"message":{"token":"a","android":{"ttl":"2419201s"}}}"#, "400 message.android.ttl"),
            (#"{"message":{"token":"a","android":{"priority":"URGENT"}}}"#, "400 message.android.priority"),
            (
                #"{"message":{"token":"a","android":{"notification":{"sticky":"yes"}}}}"#,
                "400 message.android.notification.sticky"
            ),
            (#"{"message":{"token":"a","data":{"k":"\#(String(repeating: "x", count: 4095))"}}}"#, "200"),
            (#"{"message":{"token":"a","data":{"k":"\#(String(repeating: "x", count: 4096))"}}}"#, "400 message"),
            (#"{"message":{"token":"a b"}}"#, "400 INVALID_ARGUMENT"),
        ]
    )
    mutating func messages(body: String, expected: String) {
        #expect(outcome(body) == expected)
    }

    @Test("Another project, another path and a token that is not valid are told apart")
    mutating func senders() {
        let good = #"{"message":{"token":"a"}}"#
        #expect(outcome(good, path: "/v1/projects/other/messages:send") == "404")
        #expect(outcome(good, path: "/fcm/send") == "404")
        #expect(outcome(good, method: "GET") == "404")
        #expect(outcome(good, bearer: "ya29.guess") == "401 ACCESS_TOKEN_EXPIRED")
        let old = book.issue(at: Self.now - 3_600_000).token
        #expect(outcome(good, bearer: old) == "401 ACCESS_TOKEN_EXPIRED")
        let valid = book.issue(at: Self.now).token
        #expect(outcome(good, bearer: valid) == "200")
        book.expireAll()
        #expect(outcome(good, bearer: valid) == "401 ACCESS_TOKEN_EXPIRED")
        #expect(desk.records.all.allSatisfy { $0.headers.isEmpty })
    }

    @Test(
        "Rules answer with FCM's code where they name one",
        arguments: [
            (404, "UNREGISTERED", "404 UNREGISTERED"), (404, nil, "404"), (503, nil, "503"),
            (429, "QUOTA_EXCEEDED", "429 QUOTA_EXCEEDED"), (400, "INVALID_ARGUMENT", "400 INVALID_ARGUMENT"),
        ] as [(Int, String?, String)]
    )
    mutating func rules(status: Int, reason: String?, expected: String) {
        desk.rules.replace(with: [PushRule(token: "aB", status: status, reason: reason)], at: Self.now)
        #expect(outcome(#"{"message":{"token":"aB"}}"#) == expected)
        #expect(outcome(#"{"message":{"token":"ab"}}"#) == "200")
        #expect(desk.records.all.map(\.token) == ["aB", "ab"])
    }

    @Test("A rule may keep the answer back, or give a proxy's")
    mutating func foreign() {
        var html = PushRule(status: 502, reason: nil, times: 1)
        html.body = "<html>"
        desk.rules.replace(with: [html, PushRule(.silence)], at: Self.now)
        #expect(outcome(#"{"message":{"token":"a"}}"#) == "502")
        #expect(outcome(#"{"message":{"token":"a"}}"#) == "silence")
    }
}
