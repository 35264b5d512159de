// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import SMSGateway

@Suite(.timeLimit(.minutes(1))) struct AnswerTests {
    private enum Kind: Equatable {
        case accepted, retry(Int64?), rejected, unavailable, unknown, other

        init(_ outcome: Outcome) {
            switch outcome {
            case .accepted: self = .accepted
            case .retry(let after, .provider, _): self = .retry(after)
            case .rejected: self = .rejected
            case .unavailable: self = .unavailable
            case .unknown: self = .unknown
            default: self = .other
            }
        }
    }

    /// Nothing secret may be in what operators see.
    private func expectNoSecret(in outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
        let text = "\(outcome)"
        for secret in ["483920", "gate-password", "79161234567"] {
            #expect(!text.contains(secret), "\(text)", sourceLocation: sourceLocation)
        }
    }

    private static let cases: [(status: Int, text: String, kind: Kind)] = [
        (202, "0: Accepted for delivery", .accepted), (202, "3: Queued for later delivery", .accepted),
        (200, "0: Accepted for delivery", .accepted), (200, "Success \"07033084-5cfd\"", .accepted),
        (200, "", .accepted), (200, "12:30 o'clock 79161234567", .rejected), (200, "5: no credit", .rejected),
        (202, "4839: your code", .accepted),
        (400, "Missing receiver number, rejected", .rejected), (400, "79161234567 has been denied", .rejected),
        (400, "Sender missing and no global set, rejected", .unavailable), (413, "", .rejected),
        (403, "Authorization failed for sendsms", .unavailable), (401, "", .unavailable), (402, "", .unavailable),
        (404, "Unknown request.", .unavailable), (302, "", .unavailable),
        (503, "Temporal failure, try again later.", .retry(nil)), (500, "oops 483920", .retry(nil)),
        (502, "", .unknown), (504, "", .unknown),
    ]

    @Test("An answer is understood by its status and its number", arguments: cases.indices, ["get", "post"])
    func answers(_ index: Int, _ method: String) async throws {
        let (status, text, kind) = Self.cases[index]
        try await FakeGateway.with({ _ in HTTPResponse(status: status, text: text) }) { gateway in
            let channel = try makeChannel("url: \(gateway.url)\nmethod: \(method)\n" + account)
            let outcome = await sent(delivery(), over: channel)
            #expect(Kind(outcome) == kind, "\(outcome)")
            #expect(gateway.requests.all.count == 1)
            expectNoSecret(in: outcome)
        }
    }

    @Test(
        "Retry-After is heard; a date by the clock of who said it",
        arguments: [("7", nil), ("Sat, 07 Nov 2099 10:00:07 GMT", "Sat, 07 Nov 2099 10:00:00 GMT")]
            as [(String, String?)]
    )
    func retryAfter(value: String, date: String?) async throws {
        let headers = [(name: "Retry-After", value: value)] + (date.map { [(name: "Date", value: $0)] } ?? [])
        let busy = HTTPResponse(status: 503, headers: headers)
        try await FakeGateway.with({ _ in busy }) { gateway in
            let channel = try makeChannel("url: \(gateway.url)\n" + account)
            #expect(Kind(await sent(delivery(), over: channel)) == .retry(7_000))
        }
    }

    @Test(
        "A gateway that does not listen is tried again; one that got the request and says nothing is not",
        arguments: ["get", "post"]
    )
    func silence(_ method: String) async throws {
        let url = try await FakeGateway.with({ _ in
            try? await Task.sleep(for: .seconds(2))
            return HTTPResponse(status: 202)
        }) { gateway in
            let channel = try makeChannel("url: \(gateway.url)\nmethod: \(method)\ntimeout: 200ms\n" + account)
            let outcome = await sent(delivery(), over: channel)
            #expect(Kind(outcome) == .unknown)
            #expect(gateway.requests.all.count == 1)
            expectNoSecret(in: outcome)
            return gateway.url
        }
        let outcome = await sent(delivery(), over: try makeChannel("url: \(url)\nmethod: \(method)\n" + account))
        #expect(Kind(outcome) == .retry(nil))
        expectNoSecret(in: outcome)
    }

    @Test(
        "The account is probed without a receiver",
        arguments: [
            (400, "Missing receiver number, rejected", nil), (202, "", nil),
            (403, "Authorization failed for sendsms", "refuses the user name or the password"),
            (404, "Unknown request.", "knows no such address"), (503, "Temporal failure", "HTTP 503"),
        ] as [(Int, String, String?)],
        ["get", "post"]
    )
    func probe(_ answer: (status: Int, text: String, problem: String?), _ method: String) async throws {
        try await FakeGateway.with({ _ in HTTPResponse(status: answer.status, text: answer.text) }) { gateway in
            let channel = try makeChannel("url: \(gateway.url)\nmethod: \(method)\n" + account)
            let problem = await channel.probe()
            #expect((problem == nil) == (answer.problem == nil))
            if let expected = answer.problem { #expect(problem?.contains(expected) == true) }
            let request = try #require(gateway.requests.all.last)
            #expect(request.queryValue("to") == nil && request.headers["X-Kannel-To"] == nil)
        }
        #expect(try await makeChannel("url: http://127.0.0.1:1/x\n" + account).probe() != nil)
    }
}
