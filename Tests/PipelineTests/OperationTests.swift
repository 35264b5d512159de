// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import LedgerTesting
import Testing
import Threads

@testable import busd

@Suite("A pipeline in its operator's hands", .timeLimit(.minutes(1)))
struct OperationTests {
    private struct Broken: Error, CustomStringConvertible { let description = "its socket is gone" }

    @Test("A module that throws is named at once, and so is one that ends early", arguments: [true, false])
    func failedModule(throwing: Bool) async throws {
        let works = try Works()
        let go = Gate()
        works.script.with {
            $0.run = {
                await go.wait()
                if throwing { throw Broken() }
            }
        }
        await works.runner.start()
        let running = Task { [runner = works.runner] in await runner.run() }
        let state = NodeState(works)
        #expect(await Self.readiness(state) == (503, "not ready: it is starting\n"))
        state.enter(.running(nil))
        #expect(await Self.readiness(state) == (200, "ready\n"))
        go.open()
        #expect(await eventually { works.runner.failedModules == ["scripted"] })
        let line = works.log.all.first { $0.contains("a module failed") }
        #expect(line?.contains("module=scripted") == true)
        #expect(line?.contains(throwing ? "its socket is gone" : "nobody asked it to") == true)
        let name = works.pipeline.name
        let words = "not ready: pipeline '\(name)': its module 'scripted' failed; the log says why\n"
        #expect(await Self.readiness(state) == (503, words))
        // The others go on, and the pipeline still takes messages.
        await works.register("anna")
        _ = await works.submit(.sample())
        #expect(await eventually { await works.status(of: "n1") == .sent })
        await works.runner.drain()
        await running.value
    }

    private static func readiness(_ state: NodeState) async -> (Int, String) {
        let routes = AdminRoutes(state: state, token: nil).routes
        guard let route = routes.first(where: { $0.path == "/readyz" }) else { return (0, "") }
        let answer = await route.handler(HTTPRequest(method: "GET", path: "/readyz"))
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    @Test("Modules that end at the drain, or have no work of their own, fail nothing", arguments: LedgerKind.allCases)
    func drained(kind: LedgerKind) async throws {
        let works = try Works(kind)
        await works.runner.start()
        let running = Task { [runner = works.runner] in await runner.run() }
        await works.runner.drain()
        await running.value
        #expect(works.runner.failedModules.isEmpty)
        #expect(!works.log.all.contains { $0.contains("a module failed") })
    }

    @Test(
        "A stopped channel and a stopped bank link stay stopped over a restart, until they are let go on",
        arguments: LedgerKind.allCases
    )
    func pauses(kind: LedgerKind) async throws {
        let works = try Works(kind)
        await works.runner.start()
        await works.register("anna")
        for item in ["push", "bank"] { #expect(try await works.pipeline.setPause(true, of: item).get()) }
        #expect(try await !works.pipeline.setPause(true, of: "nobody").get())
        #expect(try await !works.pipeline.setPause(true, of: "app").get())
        _ = await works.submit(.sample("n1"))
        // A notification that expires at once is something that the bank would hear.
        works.script.with { $0.verdict = { if case .notification = $0 { .drop(reason: "x") } else { .proceed($0) } } }
        _ = await works.submit(.sample("n2"))
        await works.runner.drain()
        try works.reopen()
        await works.runner.start()
        #expect(works.log.all.filter { $0.contains("stopped by an operator") }.count == 2)
        #expect(await works.pipeline.dispatcher.inspect()?.channels.map(\.isPaused) == [true])
        #expect(await works.pipeline.callbacks.inspect().map(\.isPaused) == [true])
        #expect(await works.pipeline.callbacks.waiting().map(\.count) == [1])
        #expect(works.script.with { $0.sent.isEmpty && $0.told.isEmpty })
        for item in ["push", "bank"] { #expect(try await works.pipeline.setPause(false, of: item).get()) }
        #expect(await eventually { works.script.with { $0.sent.count == 1 && $0.told.count == 1 } })
        #expect(await eventually { await works.pipeline.callbacks.waiting().map(\.count) == [0] })
        await works.runner.drain()
        try works.reopen()
        await works.runner.start()
        #expect(await works.pipeline.dispatcher.inspect()?.channels.map(\.isPaused) == [false])
        await works.runner.drain()
    }

    @Test(
        "A provider that never answers does not hold up a drain; the delivery goes out again after the start",
        arguments: LedgerKind.allCases
    )
    func silentProvider(kind: LedgerKind) async throws {
        let works = try Works(kind)
        await works.runner.start()
        await works.register("anna")
        works.script.with { $0.outcome = nil }
        _ = await works.submit(.sample())
        #expect(await eventually { works.script.with { $0.sent.count } == 1 })
        let start = ContinuousClock.now
        await works.runner.drain()
        #expect(ContinuousClock.now - start < .seconds(8))
        let first = works.script.with { $0.sent[0].messageID }
        works.script.with { $0.outcome = .accepted }
        try works.reopen()
        await works.runner.start()
        #expect(await eventually { await works.status(of: "n1") == .sent })
        #expect(works.script.with { $0.sent.map(\.messageID) } == [first, first])
        await works.runner.drain()
    }
}
