// SPDX-License-Identifier: Apache-2.0

import Bus
import Dispatch
import Foundation
import Synchronization
import Testing
import Threads

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1)))
struct ListenerWatchTests {
    /// Waits for something that comes by itself.
    private func until(_ condition: @escaping @Sendable () -> Bool) async throws {
        try await onThread {
            let limit = MonotonicTime.now().adding(milliseconds: 20_000)
            let pause = Mailbox<Void>(capacity: 1)
            while !condition(), .now() < limit { _ = pause.take(until: .now().adding(milliseconds: 10)) }
        }
        #expect(condition())
    }

    @Test func aListenerThatDoesNotServeIsNoticedAndLogged() async throws {
        let lines = Mutex<[String]>([])
        let log = Log(minimum: .info) { level, message, _ in lines.withLock { $0.append("\(level) \(message)") } }
        let release = DispatchSemaphore(value: 0)
        let route = HTTPRoute(.exact, path: "/stuck", methods: ["GET"]) { _ in
            Self.block(release)
            return HTTPResponse(status: 200)
        }
        var options = HTTPServerOptions()
        options.silence = 500
        let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: [route], options: options, log: log)
        let port = try #require(server.addresses.first).port
        #expect(server.troubles.isEmpty)
        async let answer = ask(port, "GET /stuck HTTP/1.1\r\nHost: a\r\n\r\n")
        try await until { !server.troubles.isEmpty }
        #expect(server.troubles == ["127.0.0.1:\(port): connections are not served"])
        release.signal()
        try await until { server.troubles.isEmpty }
        #expect(try await answer.status == 200)
        await server.stop(drain: .seconds(1))
        #expect(lines.withLock { $0 } == ["error a listener does not serve", "info a listener serves again"])
    }

    @Test func anIdleListenerIsWellForAsLongAsItLasts() async throws {
        var options = HTTPServerOptions()
        options.silence = 300
        let server = try HTTPServer(listen: ["127.0.0.1:0", "[::1]:0"], routes: [.echo()], options: options)
        let began = MonotonicTime.now()
        try await until { MonotonicTime.now().milliseconds(since: began) > 1_500 || !server.troubles.isEmpty }
        #expect(server.troubles.isEmpty)
        // What takes the pulse is no client.
        #expect(server.connections == 0)
        await server.stop(drain: .zero)
    }

    @Test func aDeadListenerMakesNoOtherSeemSoAndCostsNothing() async throws {
        let release = DispatchSemaphore(value: 0)
        let route = HTTPRoute(.exact, path: "/stuck", methods: ["GET"]) { _ in
            Self.block(release)
            return HTTPResponse(status: 200)
        }
        var options = HTTPServerOptions()
        options.silence = 500
        let server = try HTTPServer(listen: ["127.0.0.1:0", "127.0.0.1:0"], routes: [route], options: options)
        let port = try #require(server.addresses.first).port
        async let answer = ask(port, "GET /stuck HTTP/1.1\r\nHost: a\r\n\r\n")
        try await until { !server.troubles.isEmpty }
        let before = try descriptors()
        let began = MonotonicTime.now()
        let dead = ["127.0.0.1:\(port): connections are not served"]
        try await until { MonotonicTime.now().milliseconds(since: began) > 2_500 || server.troubles != dead }
        #expect(server.troubles == dead)
        #expect(try descriptors() <= before + 1)
        release.signal()
        #expect(try await answer.status == 200)
        await server.stop(drain: .seconds(1))
    }

    private func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// What a handler must not do; here one does.
    private static func block(_ semaphore: DispatchSemaphore) { semaphore.wait() }
}
