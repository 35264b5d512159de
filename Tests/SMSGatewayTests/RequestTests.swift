// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import SMSGateway

@Suite(.timeLimit(.minutes(1))) struct RequestTests {
    private static let kannel: @Sendable (HTTPRequest) async -> HTTPResponse = { _ in
        HTTPResponse(status: 202, text: "0: Accepted for delivery")
    }

    private func request(_ delivery: Delivery, _ options: String) async throws -> HTTPRequest {
        try await FakeGateway.with(Self.kannel) { gateway in
            let channel = try makeChannel("url: \(gateway.url)\n" + account + options)
            #expect(await sent(delivery, over: channel) == .accepted)
            return try #require(gateway.requests.all.last)
        }
    }

    @Test("A GET has everything in its query")
    func get() async throws {
        let reports = "delivery_reports: {url: 'http://127.0.0.1:8080/sms/dlr'}"
        let delivery = delivery()
        let request = try await request(delivery, "from: MegaBank\n" + reports)
        #expect(request.method == "GET")
        let expected = [
            "username": "busd", "password": "gate-password", "to": "+79161234567", "from": "MegaBank", "coding": "2",
            "charset": "UTF-8", "text": "Ваш код: 483920", "validity": "5", "dlr-mask": "19",
            "dlr-url": "http://127.0.0.1:8080/sms/dlr?id=\(delivery.reference)&type=%d&answer=%A",
        ]
        for (name, value) in expected { #expect(request.queryValue(name) == value, "\(name)") }
        #expect(request.query.split(separator: "&").count == expected.count)
    }

    @Test("A POST keeps the text and the account out of the URL")
    func post() async throws {
        let reports = "delivery_reports: {url: 'http://127.0.0.1:8080/sms/dlr'}"
        let delivery = delivery("Code", target: "1234")
        let request = try await request(delivery, "method: post\nfrom: '+74951234567'\n" + reports)
        #expect(request.method == "POST" && request.query.isEmpty)
        #expect(String(decoding: request.body, as: UTF8.self) == "Code 1234")
        let expected = [
            "Username": "busd", "Password": "gate-password", "To": "+79161234567", "From": "+74951234567",
            "Coding": "0", "Validity": "5", "DLR-Mask": "19",
            "DLR-Url": "http://127.0.0.1:8080/sms/dlr?id=\(delivery.reference)&type=%d&answer=%A",
        ]
        for (name, value) in expected { #expect(request.headers["X-Kannel-" + name] == value, "\(name)") }
        #expect(request.headers["Content-Type"] == "text/plain; charset=UTF-8")
    }

    @Test("Without reports and a sender, neither is spoken of")
    func bare() async throws {
        let request = try await request(delivery(), "")
        for name in ["from", "dlr-mask", "dlr-url"] { #expect(request.queryValue(name) == nil) }
    }

    @Test(
        "The text is the push's, and its target where that is not in it",
        arguments: [
            ("Код 483920, никому!", "483920", "Код 483920, никому!"), ("Код:", "483920", "Код: 483920"),
            ("Hello", nil, "Hello"), ("Hello", "", "Hello"), (" two\nlines ", "x", " two\nlines  x"),
            ("tab\tand\u{0}zero", nil, "tab and zero"),
        ] as [(String, String?, String)]
    )
    func text(_ text: String, _ target: String?, _ expected: String) async throws {
        let request = try await request(delivery(text, target: target), "")
        #expect(request.queryValue("text") == expected)
    }

    @Test(
        "Until when a message is worth it is told in minutes",
        arguments: [
            (0, "1"), (59, "1"), (61, "2"), (2_147_483_647, "635040"),
        ]
    )
    func validity(_ timeout: Int, _ minutes: String) async throws {
        #expect(try await request(delivery(timeout: timeout), "").queryValue("validity") == minutes)
    }

    @Test(
        "What cannot be a text message never reaches the gateway",
        arguments: [
            ("", nil, "+79161234567", "there is no text"), (" \n", nil, "+79161234567", "there is no text"),
            ("Hello", nil, "916", "E.164"), ("Hello", nil, "", "E.164"),
            (String(repeating: "Ж", count: 135), nil, "+79161234567", "takes 3 parts, and 'max_parts' allows 2"),
            (String(repeating: "A", count: 1_000_000), nil, "+79161234567", "'max_parts' allows 2"),
        ] as [(String, String?, String, String)]
    )
    func refused(_ text: String, _ target: String?, _ phone: String, _ reason: String) async throws {
        try await FakeGateway.with(Self.kannel) { gateway in
            let channel = try makeChannel("url: \(gateway.url)\nmax_parts: 2\n" + account)
            let outcome = await sent(delivery(text, target: target, to: phone), over: channel)
            guard case .rejected(let said) = outcome else { throw Unexpected(outcome) }
            #expect(said.contains(reason))
            #expect(phone.isEmpty || !said.contains(phone))
            #expect(gateway.requests.all.isEmpty)
        }
    }

    @Test("A query in the gateway's URL stays")
    func queryOfTheURL() async throws {
        try await FakeGateway.with(Self.kannel) { gateway in
            let channel = try makeChannel("url: \(gateway.url)?route=gold\n" + account)
            #expect(await sent(delivery(), over: channel) == .accepted)
            let request = try #require(gateway.requests.all.last)
            #expect(request.queryValue("route") == "gold" && request.queryValue("to") == "+79161234567")
        }
    }

    @Test("A delivery whose time is over is not begun")
    func late() async throws {
        try await FakeGateway.with(Self.kannel) { gateway in
            let channel = try makeChannel("url: \(gateway.url)\n" + account)
            let old = delivery()
            let late = Delivery(
                ticket: 7,
                sequence: 7,
                notification: old.notification,
                address: old.address,
                messageID: old.messageID,
                expiration: nil,
                deadline: .distantPast
            )
            guard case .retry(_, .delivery, _) = await sent(late, over: channel) else { throw Unexpected("late") }
            #expect(gateway.requests.all.isEmpty)
        }
    }
}

/// Something else than the test wanted.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ value: Any) { description = "unexpected: \(value)" }
}
