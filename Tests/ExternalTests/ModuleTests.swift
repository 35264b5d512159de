// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing
import YAML

@testable import External

@Suite("External stages and channels", .timeLimit(.minutes(1)))
struct ModuleTests {
    private static let examples = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Examples/External").path

    private static let anna: Recipient = {
        var recipient = Recipient("Anna")
        recipient.id = "anna"
        return recipient
    }()

    private static func notification(_ text: String = "Hello", type: NotificationType = .universal) -> Bus.Notification
    {
        Notification(
            id: "n1",
            recipients: [Self.anna, Recipient("boris")],
            timeout: 600,
            content: PushContent(badge: 1, text: text, type: type, target: type.requiresTarget ? "1" : nil)
        )
    }

    private func stage(_ yaml: String) throws -> ExternalStage {
        let settings = try ExternalStage.Settings.read(try YAML.parse(yaml, file: "s.yaml"))
        let context = ModuleContext(pipeline: "bank", label: "ext", log: .silent, intake: RecordingIntake(.done))
        return try ExternalStage(settings: settings, context: context)
    }

    private func answering(_ members: String, more: String = "") throws -> ExternalStage {
        let program = """
            import json, sys
            for line in sys.stdin:
                q = json.loads(line); m = q["message"]
                print(json.dumps({"id": q["id"], \(members)}), flush=True)
            """
        return try stage("{ command: [python3, -c, \(JSONText.quoted(program))], timeout: 20s\(more) }")
    }

    @Test("Its verdict is done: it proceeds, changed or not, is dropped or rejected with a reason")
    func verdicts() async throws {
        let message = Message.notification(Self.notification())
        for (members, expected) in [
            (#""verdict": "proceed""#, .proceed(message)),
            (#""verdict": "drop", "reason": "night""#, .drop(reason: "night")),
            (#""verdict": "reject", "reason": "no offers""#, .reject(Refusal("no offers"))),
        ] as [(String, StageResult)] {
            let stage = try answering(members)
            #expect(await stage.process(message) == expected)
            await stage.drain()
        }
        let changing = try answering(
            #""verdict": "proceed", "message": {**m, "recipients": ["anna", "carl"], "priority": 9}"#
        )
        guard case .proceed(.notification(let changed)) = await changing.process(message) else {
            Issue.record("it does not proceed")
            return
        }
        #expect(changed.priority == 9)
        #expect(changed.recipients == [Self.anna, Recipient("carl")])
        #expect(changed.content == Self.notification().content)
        await changing.drain()
    }

    @Test("Other messages than notifications proceed without a question")
    func others() async throws {
        let stage = try stage("{ command: [/there/is/none] }")
        let message = Message.unregistration(.user(Recipient("anna")))
        #expect(await stage.process(message) == .proceed(message))
        await stage.drain()
    }

    @Test(
        "An answer that is none counts as no answer: refused for now, or it proceeds",
        arguments: [
            #""verdict": "perhaps""#, #""verdict": 5"#, #""x": 1"#,
            #""verdict": "proceed", "message": {**m, "id": "other"}"#,
            #""verdict": "proceed", "message": {**m, "pushContent": {}}"#,
            #""verdict": "proceed", "message": {**m, "recipients": []}"#, #""verdict": "proceed", "message": []"#,
        ]
    )
    func wrong(members: String) async throws {
        let message = Message.notification(Self.notification())
        let refusing = try answering(members)
        #expect(await refusing.process(message) == .unavailable(retryAfter: 1))
        await refusing.drain()
        let proceeding = try answering(members, more: ", on_failure: proceed")
        #expect(await proceeding.process(message) == .proceed(message))
        await proceeding.drain()
    }

    @Test("A service over HTTP is asked as a program is")
    func service() async throws {
        let asked = Mutex<[JSONValue]>([])
        let route = HTTPRoute(.exact, path: "/stage", methods: ["POST"]) { request in
            let question = try? JSONValue(parsing: request.body)
            asked.withLock { $0.append(question ?? .null) }
            return HTTPResponse(
                status: asked.withLock(\.count) == 1 ? 200 : 500,
                contentType: "application/json",
                body: Array(#"{"id":1,"verdict":"drop","reason":"no"}"#.utf8)
            )
        }
        let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: [route])
        let port = try #require(server.addresses.first).port
        let stage = try stage("{ url: 'http://127.0.0.1:\(port)/stage', timeout: 20s }")
        let message = Message.notification(Self.notification())
        #expect(await stage.process(message) == .drop(reason: "no"))
        #expect(await stage.process(message) == .unavailable(retryAfter: 1))
        let first = asked.withLock { $0.first }
        let question = try #require(first)
        #expect(question["message"]?["kind"] == "notification")
        #expect(question["message"]?["pipeline"] == "bank")
        #expect(question["message"]?["recipients"] == ["anna", "boris"])
        await stage.drain()
        await server.stop(drain: .zero)
    }

    @Test("A channel's outcomes are what the program says")
    func channel() async throws {
        let program = """
            import json, sys
            for line in sys.stdin:
                q = json.loads(line); d = q["delivery"]
                kind = d["device"]["token"]
                a = {"id": q["id"], "outcome": kind, "reason": d["notification"]["pushContent"]["text"]}
                if kind == "later": a.update(outcome="retry", after=7)
                print(json.dumps(a), flush=True)
            """
        let text = "{ command: [python3, -c, \(JSONText.quoted(program))], timeout: 20s, platforms: [IOS] }"
        let settings = try ExternalChannel.Settings.read(try YAML.parse(text, file: "s.yaml"))
        let context = ModuleContext(pipeline: "bank", label: "ext", log: .silent, intake: RecordingIntake(.done))
        let channel = try ExternalChannel(settings: settings, context: context)
        #expect(channel.reach == .devices([.ios]))
        let kinds = ["accepted", "rejected", "gone", "unavailable", "retry", "later", "nonsense"]
        let outcomes = await withCheckedContinuation { found in
            let sink = Sink(count: kinds.count) { found.resume(returning: $0) }
            channel.send(kinds.enumerated().map { Self.delivery(UInt64($0), token: $1) }, to: sink)
        }
        #expect(outcomes[0] == .accepted)
        #expect(outcomes[1] == .rejected(reason: "Hello"))
        #expect(outcomes[2] == .gone(Outcome.Gone(since: nil, isAmbiguous: false, reason: "Hello")))
        #expect(outcomes[3] == .unavailable(reason: "Hello"))
        #expect(outcomes[4] == .retry(after: nil, scope: .delivery, reason: "Hello"))
        #expect(outcomes[5] == .retry(after: 7_000, scope: .provider, reason: "Hello"))
        guard case .unknown = outcomes[6] else {
            Issue.record("nonsense is \(outcomes[6] as Any)")
            return
        }
        await channel.drain()
    }

    @Test("The examples do what they say")
    func examples() async throws {
        let stage = try stage("{ command: [python3, \(Self.examples)/stage.py], timeout: 20s }")
        let changed = await stage.process(.notification(Self.notification("TEST Hello")))
        #expect(changed == .proceed(.notification(Self.notification("Hello"))))
        await stage.drain()
        let folder = try TemporaryFolder()
        setenv("DELIVERIES", folder.path("out"), 1)
        let peer = ProcessPeer(
            ["\(Self.examples)/channel.sh"],
            workers: 1,
            timeout: .seconds(20),
            label: "c",
            log: .silent
        )
        let answer = try await peer.ask { writer in
            writer.key("delivery")
            writer.string("d")
        }.get()
        #expect(answer["outcome"] == "accepted")
        await peer.stop()
        #expect(try String(contentsOfFile: folder.path("out"), encoding: .utf8) == "{\"id\":1,\"delivery\":\"d\"}\n")
    }

    private static func delivery(_ ticket: UInt64, token: String) -> Delivery {
        Delivery(
            ticket: ticket,
            sequence: Int64(ticket),
            notification: OutgoingNotification(notification: notification(), sequence: 1, acceptedAt: .epoch),
            address: .device(
                Device(
                    subscription: 1,
                    app: "retail",
                    platform: .ios,
                    token: token,
                    registeredAt: .epoch,
                    topic: nil
                )
            ),
            messageID: MessageID(high: 0, low: ticket),
            expiration: nil,
            deadline: .distantFuture
        )
    }
}

/// Gathers outcomes by ticket.
private final class Sink: DeliverySink {
    private let outcomes = Mutex<[UInt64: Outcome]>([:])
    private let count: Int
    private let done: @Sendable ([UInt64: Outcome]) -> Void

    init(count: Int, done: @escaping @Sendable ([UInt64: Outcome]) -> Void) {
        self.count = count
        self.done = done
    }

    func report(_ reports: [DeliveryReport]) {
        let all = outcomes.withLock { outcomes in
            for report in reports { outcomes[report.ticket] = report.outcome }
            return outcomes
        }
        if all.count == count { done(all) }
    }
}

/// Texts as JSON, which YAML reads too.
private enum JSONText {
    static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
