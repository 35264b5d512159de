// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import LedgerTesting
import SQLite
import Testing

@Suite("What a pipeline takes on", .timeLimit(.minutes(1)))
struct IntakeTests {
    @Test(
        "A notification that a stage or a module broke is refused with words, and nothing of it is kept",
        arguments: ["timeout", "priority", "pushContent.badge", "recipients"]
    )
    func gate(path: String) async throws {
        let works = try Works()
        works.script.with {
            $0.verdict = { message in
                guard case .notification(var notification) = message else { return .proceed(message) }
                switch path {
                case "timeout": notification.timeout = .max
                case "priority": notification.priority = 300
                case "pushContent.badge": notification.content.badge = -1
                default: notification.recipients = []
                }
                return .proceed(.notification(notification))
            }
        }
        guard case .refused(let refusal) = await works.submit(.sample()) else {
            Issue.record("it must be refused")
            return
        }
        #expect(refusal.fields.map(\.path) == [path])
        #expect(await works.status(of: "n1") == nil)
    }

    @Test(
        "What a stage drops is answered as accepted, ends SENDING_FAILED with the reason, and the bank hears of it",
        arguments: LedgerKind.allCases
    )
    func drop(kind: LedgerKind) async throws {
        let works = try Works(kind)
        await works.register("anna")
        await works.runner.start()
        works.script.with {
            $0.verdict = { if case .notification = $0 { .drop(reason: "quiet hours") } else { .proceed($0) } }
        }
        #expect(await works.submit(.sample()) == .accepted([RecipientStatus("anna", .queued)]))
        #expect(await works.submit(.sample()) == .duplicate)
        #expect(await works.status(of: "n1") == .sendingFailed)
        guard case .timeline(let events) = await works.pipeline.submit(.query(.timeline("n1"))) else {
            Issue.record("there is a timeline")
            return
        }
        #expect(events.map(\.event) == ["accepted", "problem", "sending_failed"])
        #expect(events[1].detail == "dropped by scripted: quiet hours")
        #expect(await eventually { works.script.with { $0.told.map(\.kind) } == [.failed] })
        #expect(works.pipeline.metrics.ended().contains { $0.status == .sendingFailed && $0.count == 1 })
        await works.runner.drain()
        #expect(works.script.with { $0.sent.isEmpty })
    }

    @Test("A row whose content is damaged ends SENDING_FAILED, with a line and a callback, and stops nobody else")
    func damage() async throws {
        let works = try Works()
        for user: RecipientID in ["anna", "boris"] { await works.register(user) }
        _ = await works.submit(.sample("broken"))
        _ = await works.submit(.sample("gone"))
        _ = await works.submit(.sample("whole", to: ["boris"]))
        try works.reopen {
            try $0.execute("UPDATE notification SET content = x'0102ff' WHERE id = 'broken'")
            try $0.execute("UPDATE notification SET content = x'63' WHERE id = 'gone'")
        }
        await works.runner.start()
        #expect(await eventually { await works.status(of: "whole") == .sent })
        #expect(await eventually { await works.status(of: "broken") == .sendingFailed })
        #expect(await eventually { await works.status(of: "gone") == .sendingFailed })
        #expect(await eventually { works.script.with { $0.told.count } == 2 })
        await works.runner.drain()
        let lines = works.log.all.filter { $0.contains("row in the store is damaged") }
        #expect(lines.count == 2)
        #expect(!works.log.all.contains { $0.contains("a text like no other") })
    }
}
