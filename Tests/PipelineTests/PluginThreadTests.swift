// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Foundation
import HTTPClient
import HTTPServer
import MapIDs
import OverrideSubscriptions
import Testing
import Threads
import Validate

@Suite("A plugin's handler that blocks", .timeLimit(.minutes(1)))
struct PluginThreadTests {
    @Test("holds up nobody else on the listener")
    func blocking() async throws {
        let entered = Gate()
        let go = DispatchSemaphore(value: 0)
        let blocking = HTTPRoute(.exact, path: "/plugin", methods: ["GET"]) { _ in
            entered.open()
            Self.wait(for: go)
            return HTTPResponse(status: 200, text: "late")
        }
        let quick = HTTPRoute(.exact, path: "/own", methods: ["GET"]) { _ in HTTPResponse(status: 200, text: "now") }
        let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: [blocking.onPool, quick])
        let port = try #require(server.addresses.first).port
        let client = HTTPClient()
        async let late = client.send(HTTPClientRequest(url: "http://127.0.0.1:\(port)/plugin"))
        await entered.wait()
        let now = try await client.send(HTTPClientRequest(url: "http://127.0.0.1:\(port)/own"))
        #expect(String(decoding: now.body, as: UTF8.self) == "now\n")
        go.signal()
        #expect(try await late.status == 200)
        await server.stop(drain: .seconds(1))
    }

    /// Blocks the thread, as no handler should.
    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test("is known by its plugin: what a plugin registers is, what the bus has is not")
    func origin() {
        var registry = Registry()
        registry.register(Validate.self)
        registry.addPlugin { $0.register(MapIDs.self) }
        #expect(registry.module(.stage, "validate")?.isFromPlugin == false)
        #expect(registry.module(.stage, "map_ids")?.isFromPlugin == true)
        registry.register(OverrideSubscriptions.self)
        #expect(registry.module(.stage, "override_subscriptions")?.isFromPlugin == false)
    }
}
