// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RequestTests {
    @Test("A request arrives whole and its answer comes back", arguments: [true, false])
    func roundTrip(isTLS: Bool) async throws {
        let seen = Mutex<HTTP2ServerRequest?>(nil)
        let fixture = try Fixture(isTLS: isTLS, client: { $0.wantedHeaders = ["apns-id"] }) { request in
            seen.withLock { $0 = request }
            return .respond(
                HTTP2ServerResponse(
                    410,
                    ownHeaders: [HTTP2Header("apns-id", "ABC"), HTTP2Header("other", "x")],
                    body: [1, 2]
                )
            )
        }
        defer { fixture.stop() }
        let shared = HTTP2HeaderList([
            HTTP2Header("authorization", "bearer T"), HTTP2Header("Apns-Topic", "com.example.app"),
        ])
        fixture.pool.submit([
            HTTP2Request(
                tag: 7,
                path: "/3/device/00ff",
                headers: shared,
                ownHeaders: [HTTP2Header("apns-id", "1-2-3", isIndexed: false)],
                body: Array("hello".utf8),
                deadline: MonotonicTime.now().adding(nanoseconds: 10_000_000_000)
            )
        ])
        let result = await fixture.collector.results(1)[0]
        #expect(result.tag == 7)
        let expected = HTTP2Response(status: 410, headers: [HTTP2Header("apns-id", "ABC")], body: [1, 2])
        #expect(result.outcome == .response(expected))
        let request = try #require(seen.withLock { $0 })
        #expect(request.method == "POST")
        #expect(request.path == "/3/device/00ff")
        #expect(request.header("authorization") == "bearer T")
        #expect(request.header("apns-topic") == "com.example.app")
        #expect(request.body == Array("hello".utf8))
        let unindexed = request.headers.filter { !$0.isIndexed }.map(\.name)
        // nghttp2 itself never indexes `authorization`.
        #expect(unindexed == [":path", "apns-id", "authorization"])
    }

    @Test("Ten thousand requests are each answered once")
    func many() async throws {
        let fixture = try Fixture { _ in ok }
        defer { fixture.stop() }
        fixture.submit(10_000)
        let results = await fixture.collector.results(10_000)
        #expect(Set(results.map(\.tag)).count == 10_000)
        #expect(results.allSatisfy { $0.outcome.status == 200 })
    }
}
