// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import TestSupport
import Testing

@Suite("What banks send over REST")
struct RequestTests {
    @Test("every field of the contract reaches the bus")
    func everything() async throws {
        let bank = try Bank()
        let answer = await bank.send(
            """
            {"id": " n1\\n", "recipients": ["ivanov", " Петров "], "timeout": 3600, "perishable": true, "priority": 9,
             "collapseId": "balance",
             "pushContent": {"badge": 3, "sound": "bell", "text": " hello ", "type": "URL", "target": " https://a "},
             "pushDetails": {"name": "Title", "logoUrl": " http://l ", "pushDescription": "more",
                             "tags": [{"key": "a", "value": "1"}, {"key": "b"}, {"key": "a", "value": "2"}],
                             "amount": {"currency": "RUB", "fxAmount": -5}}}
            """
        )
        #expect(answer.status == 202)
        let expected = Notification(
            id: "n1",
            recipients: [Recipient("ivanov"), Recipient("Петров")],
            timeout: 3600,
            content: PushContent(badge: 3, sound: "bell", text: " hello ", type: .url, target: "https://a"),
            details: PushDetails(
                name: "Title",
                logoURL: "http://l",
                description: "more",
                tags: [PushDetails.Tag(key: "a", value: "2"), PushDetails.Tag(key: "b", value: nil)],
                amount: PushDetails.Amount(currency: "RUB", fxAmount: -5)
            ),
            isPerishable: true,
            priority: 9,
            collapseID: "balance"
        )
        #expect(try bank.notification() == expected)
    }

    @Test("what is left out, null or empty has its default")
    func defaults() async throws {
        let bank = try Bank()
        let changes = [
            "perishable": "null", "priority": "null", "collapseId": #"" ""#, "pushDetails": "null", "timeout": "60.0",
        ]
        _ = await bank.send(body(changes, content: ["sound": #""""#, "target": #""nil""#]))
        let notification = try bank.notification()
        #expect(notification.priority == 5)
        #expect(!notification.isPerishable)
        #expect(notification.collapseID == nil)
        #expect(notification.details == nil)
        #expect(notification.timeout == 60)
        #expect(notification.content.sound == "default")
        #expect(notification.content.target == nil)
    }

    @Test(
        "a field that is not as it must be is named, and nothing reaches the bus",
        arguments: [
            (body(["id": nil]), "id is missing"),
            (body(["id": "null"]), "id is missing"),
            (body(["id": "7"]), "id must be a string, not a number"),
            (body(["id": #"" \u00a0 ""#]), "id must not be empty"),
            (body(["id": "\"\(String(repeating: "я", count: 128))\""]), "id must have at most 255 bytes"),
            (body(["recipients": "[]"]), "recipients must not be empty"),
            (body(["recipients": #"["a", 1]"#]), "recipients[1] must be a string, not a number"),
            (body(["recipients": #""a""#]), "recipients must be a list, not a string"),
            (body(["timeout": "-1"]), "timeout must be 0 to 2147483647"),
            (body(["timeout": "2147483648"]), "timeout must be 0 to 2147483647"),
            (body(["timeout": "1.5"]), "timeout must be a whole number, not a fraction"),
            (body(["timeout": "1e30"]), "timeout must be 0 to 2147483647"),
            (body(["priority": "5.5"]), "priority must be a whole number, not a fraction"),
            (body(["priority": "11"]), "priority must be 0 to 10"),
            (body(["perishable": #""true""#]), "perishable must be true or false, not a string"),
            (body(["pushContent": "[]"]), "pushContent must be an object, not a list"),
            (body(["pushContnt": "{}"]), "pushContnt is not known here"),
            (body(["pushDetails": "{}"]), "pushDetails.name is missing"),
            (body(["pushDetails": #"{"name": ""}"#]), "pushDetails.name must not be empty"),
            (body(["pushDetails": #"{"name": "a", "tags": [{"value": "x"}]}"#]), "pushDetails.tags[0].key is missing"),
            (
                body(["pushDetails": #"{"name": "a", "amount": {"currency": "RUB", "fxAmount": "5"}}"#]),
                "pushDetails.amount.fxAmount must be a whole number, not a string"
            ),
            (body(content: ["badge": "-1"]), "pushContent.badge must be 0 to 2147483647"),
            (body(content: ["text": #""""#]), "pushContent.text must not be empty"),
            (body(content: ["colour": "1"]), "pushContent.colour is not known here"),
            (
                body(content: ["type": #""SMS""#]),
                "pushContent.type must be one of UNIVERSAL, MESSAGE, PRODUCT, FORM, SHOW_MAP, URL, PIN_CODE"
            ),
            (body(content: ["type": #""PIN_CODE""#]), "pushContent.target is missing"),
            (
                body(content: ["type": #""PIN_CODE""#, "target": #"" nil""#]),
                "pushContent.target is missing; PIN_CODE needs one"
            ),
            (
                body(content: ["type": #""URL""#, "target": "\"\(String(repeating: "a", count: 2049))\""]),
                "pushContent.target must have at most 2048 bytes"
            ),
            ("[]", " must be an object, not a list"),
        ]
    )
    func faults(_ text: String, _ fault: String) async throws {
        let bank = try Bank()
        let answer = await bank.send(text)
        #expect(answer.isProblem(422, "INVALID_REQUEST"), "\(answer.text)")
        #expect(answer.faultLines == [fault])
        #expect(bank.intake.messages.isEmpty)
    }

    @Test("all faults are named at once, and a hundred thousand of them are not")
    func manyFaults() async throws {
        let bank = try Bank()
        #expect(await bank.send(#"{"id": 1, "extra": 2}"#).faultLines.count == 5)
        let numbers = Array(repeating: "1", count: 50_000).joined(separator: ",")
        #expect(await bank.send(body(["recipients": "[\(numbers)]"])).faultLines.count <= 101)
    }

    @Test(
        "a body that is no JSON is malformed, whatever it is",
        arguments: ["", "{", #"{"id": "a", "id": "b"}"#, #"{"id": "a\u0000"}"#, "\u{0}", "{}x", #"{"id": 1e999}"#]
    )
    func malformed(_ text: String) async throws {
        let bank = try Bank()
        #expect(await bank.send(text).isProblem(400, "MALFORMED_REQUEST"))
        #expect(bank.intake.messages.isEmpty)
    }

    @Test(
        "a body counts as JSON where its type says so or is missing",
        arguments: [
            ("application/json", 202), ("application/json; charset=UTF-8", 202), ("application/hal+json", 202),
            ("application/json; charset='utf-8'", 202), ("application/json;charset=\"UTF-8\"", 202),
            ("", 415),
            ("text/plain", 415), ("application/x-www-form-urlencoded", 415), ("application/json; charset=latin1", 415),
        ]
    )
    func types(_ type: String, _ status: Int) async throws {
        let headers = [(name: "Content-Type", value: type)]
        #expect(try await Bank().call("POST", "/notifications", body: body(), headers: headers).status == status)
        #expect(try await Bank().call("POST", "/notifications", body: body()).status == 202)
    }

    @Test("a byte order mark before the body is passed over")
    func mark() async throws {
        let bank = try Bank()
        #expect(await bank.send("\u{feff}" + body()).status == 202)
        #expect(try bank.notification().id == "n1")
    }

    @Test("the word nil for a target is given back as it came", arguments: ["nil", ""])
    func nilTarget(target: String) async throws {
        let bank = try Bank()
        _ = await bank.send(body(content: ["target": "\"\(target)\""]))
        let stored = try Bank(.notification(try bank.notification()))
        let answer = await stored.call("GET", "/notifications/n1")
        #expect(answer.text.contains(#""target":"nil""#) == (target == "nil"))
    }

    @Test("a compressed body is read, and in a way that is not known refused")
    func compressed() async throws {
        let gzip: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xab, 0xae, 5, 0, 0x43, 0xbf, 0xa6, 0xa3, 2, 0, 0, 0]
        let bank = try Bank()
        let read = await bank.send(gzip, headers: [("Content-Encoding", "gzip")])
        #expect(read.isProblem(422, "INVALID_REQUEST"), "\(read.text)")
        let cut = await bank.send(gzip.dropLast(), headers: [("Content-Encoding", "gzip")])
        #expect(cut.isProblem(400, "MALFORMED_REQUEST"))
        let unknown = await bank.send(gzip, headers: [("Content-Encoding", "br")])
        #expect(unknown.isProblem(415, "UNSUPPORTED_MEDIA_TYPE"))
        #expect(unknown.header("Accept-Encoding") == "gzip, deflate")
    }

    @Test("ids in paths are percent-decoded and trimmed")
    func pathIDs() async throws {
        let bank = try Bank(.exists(true))
        _ = await bank.call("GET", "/subscriptions/%D0%98%D0%B2%D0%B0%D0%BD%2F1%20")
        #expect(bank.intake.messages == [.query(.subscriptions([Recipient("Иван/1")]))])
    }

    @Test(
        "each call becomes its message",
        arguments: [
            ("GET", "/notifications/n1", Message.query(.notification("n1"))),
            ("GET", "/notifications/n1/status", .query(.deliveryStatus("n1"))),
            ("GET", "/notifications/n1/timeline", .query(.timeline("n1"))),
            ("GET", "/subscriptions/u", .query(.subscriptions([Recipient("u")]))),
            ("DELETE", "/subscriptions/u", .unregistration(.user(Recipient("u")))),
        ]
    )
    func messages(_ method: String, _ path: String, _ message: Message) async throws {
        let bank = try Bank(.notFound)
        _ = await bank.call(method, path)
        #expect(bank.intake.messages == [message])
    }

    @Test(
        "what is no call is told from what is no method of one",
        arguments: [
            ("GET", "/", 404, nil), ("GET", "/notifications/a/b/c", 404, nil), ("GET", "//notifications", 404, nil),
            ("GET", "/notifications//status", 404, nil), ("GET", "/notifications/%00", 400, nil),
            ("GET", "/notifications/%zz", 400, nil), ("GET", "/notifications/%ff", 400, nil),
            ("GET", "/notifications", 405, "POST"), ("TRACE", "/notifications/a", 405, "GET, HEAD"),
            ("PUT", "/subscriptions/a", 405, "GET, HEAD, DELETE"), ("POST", "/openapi.json", 405, "GET, HEAD"),
        ] as [(String, String, Int, String?)]
    )
    func routes(_ method: String, _ path: String, _ status: Int, _ allow: String?) async throws {
        let answer = try await Bank().call(method, path)
        #expect(answer.status == status)
        #expect(answer.type == "application/problem+json")
        #expect(answer.header("Allow") == allow)
    }

    @Test("a user who cannot be one is refused", arguments: ["%20", String(repeating: "u", count: 256)])
    func users(_ user: String) async throws {
        let bank = try Bank(.exists(true))
        #expect(await bank.call("GET", "/subscriptions/\(user)").isProblem(422, "INVALID_REQUEST"))
        #expect(bank.intake.messages.isEmpty)
    }
}
