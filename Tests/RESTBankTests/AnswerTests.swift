// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import RESTBank
import TestSupport
import Testing
import YAML

@Suite("What banks get over REST")
struct AnswerTests {
    @Test("statuses stand under the bank's own spellings, each once")
    func statuses() async throws {
        let statuses = [
            RecipientStatus("Иван\"", .queued), RecipientStatus("ivan", .invalidSubscription),
            RecipientStatus("ivan", .invalidSubscription), RecipientStatus("IVAN", .queued),
        ]
        let answer = try await Bank(.accepted(statuses)).send(body())
        #expect(answer.status == 202)
        #expect(
            answer.text == #"{"status":"OK","deliveryStatus":"#
                + #"{"Иван\"":"QUEUED","ivan":"INVALID_SUBSCRIPTION","IVAN":"QUEUED"}}"#
        )
    }

    @Test("a notification comes back as it was sent, without what it does not have")
    func notification() async throws {
        let erased = Notification(
            id: "n1",
            recipients: [Recipient("ivanov")],
            timeout: 60,
            content: PushContent(badge: 0, text: "", type: .pinCode)
        )
        let answer = try await Bank(.notification(erased)).call("GET", "/notifications/n1")
        #expect(
            answer.json == [
                "status": "OK",
                "notification": [
                    "id": "n1", "recipients": ["ivanov"], "timeout": 60,
                    "pushContent": ["badge": 0, "sound": "default", "text": "", "type": "PIN_CODE"],
                    "perishable": false, "priority": 5,
                ],
            ]
        )
    }

    @Test(
        "every reply has its status and code",
        arguments: [
            (Reply.duplicate, 409, "DUPLICATED_ENTITY"), (.notFound, 404, "ENTITY_NOT_FOUND"),
            (.refused(Refusal(field: "pushContent.type", "must be one of URL")), 422, "INVALID_REQUEST"),
            (.overloaded(retryAfter: 3), 503, "OVERLOADED"), (.failed("disk"), 500, "INTERNAL_SERVER_ERROR"),
            (.unavailable("later"), 501, "NOT_AVAILABLE"), (.unauthorized, 500, "INTERNAL_SERVER_ERROR"),
        ]
    )
    func replies(_ reply: Reply, _ status: Int, _ code: String) async throws {
        let answer = try await Bank(reply).send(body())
        #expect(answer.isProblem(status, code), "\(answer.text)")
        #expect(answer.header("Retry-After") == (status == 503 ? "3" : nil))
        #expect(!answer.text.contains("disk"))
    }

    @Test(
        "a bank with tokens shows one of them",
        arguments: [
            (nil, "Bearer"), ("Basic dG9r", "Bearer error=\"invalid_token\""),
            ("Bearer wrong", "Bearer error=\"invalid_token\""), ("Bearer second", nil), ("bearer first", nil),
            ("Bearer  second", nil), ("Bearer first second", "Bearer error=\"invalid_token\""),
        ] as [(String?, String?)]
    )
    func tokens(_ authorization: String?, _ challenge: String?) async throws {
        let bank = try Bank(.exists(true), options: "auth: { bearer: [first, second] }")
        let headers = authorization.map { [(name: "Authorization", value: $0)] } ?? []
        let answer = await bank.call("GET", "/subscriptions/u", headers: headers)
        #expect(answer.status == (challenge == nil ? 200 : 401))
        #expect(answer.header("WWW-Authenticate") == challenge)
        #expect(bank.intake.messages.count == (challenge == nil ? 1 : 0))
        let reason: CallRefusal = authorization == nil ? .missing : .wrong
        #expect(bank.door.refused == (challenge == nil ? [] : [.init(reason, "/api/v1/subscriptions")]))
        #expect(await bank.call("GET", "/openapi.json").status == 200)
        #expect(await bank.call("GET", "/nothing").status == 404)
    }

    @Test("the document names the path, every call, and how to authenticate")
    func document() async throws {
        let open = try await Bank().call("GET", "/openapi.json").json
        #expect(open?["openapi"] == "3.1.0")
        let event = open?["components"]?["schemas"]?["TimelineEvent"]?["properties"]
        #expect(event?["at"]?["format"] == "date-time")
        #expect(event?["recipient"]?["format"] == nil)
        #expect(open?["servers"] == [["url": "/api/v1"]])
        #expect(open?["security"] == [])
        let paths = try #require(open?["paths"]?.object)
        #expect(
            paths.members.map { "\($0.key) \($0.value.object?.members.map(\.key) ?? [])" } == [
                #"/notifications ["post"]"#, #"/notifications/{id} ["get"]"#, #"/notifications/{id}/status ["get"]"#,
                #"/notifications/{id}/timeline ["get"]"#,
                #"/subscriptions/{user} ["get", "delete"]"#,
            ]
        )
        let closed = try await Bank(options: "auth: { bearer: t }").call("GET", "/openapi.json")
        #expect(closed.json?["security"] == [["bearer": []]])
        #expect(!closed.text.contains("\"t\""))
    }

    @Test("a timeline has its steps in order, each with what is known of it")
    func timeline() async throws {
        let steps = [
            TimelineEvent(at: WallTime(milliseconds: 1_700_000_000_000), recipient: "Анна", event: "accepted"),
            TimelineEvent(
                at: WallTime(milliseconds: 1_700_000_000_123),
                recipient: "Анна",
                device: "d",
                channel: "apns",
                event: "sent",
                detail: "x"
            ),
        ]
        let answer = try await Bank(.timeline(steps)).call("GET", "/notifications/n1/timeline")
        #expect(
            answer.json == [
                "status": "OK",
                "events": [
                    ["at": "2023-11-14T22:13:20.000Z", "recipient": "Анна", "event": "accepted"],
                    [
                        "at": "2023-11-14T22:13:20.123Z", "recipient": "Анна", "device": "d", "channel": "apns",
                        "event": "sent", "detail": "x",
                    ],
                ],
            ]
        )
    }

    @Test("without a certificate that was verified nothing but the document is served")
    func certificates() throws {
        let settings = try RESTBankSettings.read(
            YAML.parse("path: /api\nauth: { client_certificate: true }", file: "p.yaml")
        )
        let log = Log(minimum: .error) { _, _, _ in }
        let context = ModuleContext(pipeline: "p", label: "l", log: log, intake: RecordingIntake(.exists(true)))
        let admit = try #require(RESTBank(settings: settings, context: context).routes.first?.admit)
        let refused = try #require(admit(HTTPRequest(method: "GET", path: "/api/subscriptions/u")))
        #expect(Answer(refused).isProblem(403, "CERTIFICATE_REQUIRED"))
        let known = HTTPPeer(isTLS: true, certificateSubject: "CN=bank")
        #expect(admit(HTTPRequest(method: "GET", path: "/api/subscriptions/u", peer: known))?.status == nil)
        #expect(admit(HTTPRequest(method: "GET", path: "/api/openapi.json"))?.status == nil)
    }

    @Test("an open door is a warning, and a certificate asks for a listener that can verify it")
    func check() throws {
        func check(_ options: String) throws -> ModuleCheck {
            let settings = try RESTBankSettings.read(YAML.parse("path: /api\n" + options, file: "p.yaml"))
            var check = ModuleCheck(mark: SourceMark(file: "p.yaml", line: 1, column: 1)) { _ throws(SettingsProblem) in
                []
            }
            RESTBank.check(settings, &check)
            return check
        }
        let open = try check("").diagnostics.map { "\($0)" }
        #expect(open.count == 1)
        #expect(open.allSatisfy { $0.contains("warning: rest_bank has no 'auth'") })
        #expect(try check("auth: { bearer: [t] }").diagnostics.isEmpty)
        #expect(try check("auth: { client_certificate: true }").clientCertificateMark?.line == 2)
        #expect(throws: ConfigurationError.self) { try check("auth: { client_certificate: false }") }
    }
}
