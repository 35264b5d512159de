// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import PushTesting
import Synchronization
import Testing

@testable import APNs

/// What is repeated on another connection, and under which ids.
@Suite(.timeLimit(.minutes(1)))
struct SickConnectionTests {
    private let code = outgoing(type: .pinCode, target: "1234")

    private func fixture(_ sick: HTTP2ServerAction) throws -> Fixture {
        let first = Mutex<UInt64?>(nil)
        return try Fixture { _, request in
            let isFirst = first.withLock { first in
                first = first ?? request.stream.connection
                return first == request.stream.connection
            }
            return isFirst ? sick : ok
        }
    }

    @Test(
        "A PIN code without a text message to fall back on is repeated under the same ids",
        arguments: [HTTP2ServerAction.silent, answer(500, #"{"reason":"InternalServerError"}"#), answer(503, "")]
    )
    func repeated(sick: HTTP2ServerAction) async throws {
        let fixture = try fixture(sick)
        let start = ContinuousClock.now
        #expect(await fixture.send([delivery(1, code, mayRepeat: true)]) == [1: .accepted])
        #expect(ContinuousClock.now - start < .seconds(2))
        let requests = fixture.requests.all
        #expect(requests.map(\.stream.connection) == [1, 2])
        for name in ["apns-id", "apns-collapse-id", "apns-expiration", ":path"] {
            #expect(Set(requests.map { $0.header(name) }).count == 1)
        }
        #expect(Set(requests.map(\.body)).count == 1)
    }

    @Test("A PIN code that has one is pushed once, and its outcome is unknown")
    func once() async throws {
        let fixture = try fixture(.silent)
        #expect(await fixture.send([delivery(1, code, seconds: 3)]) == [1: .unknown(reason: "no answer in time")])
        #expect(fixture.requests.all.count == 1)
    }

    @Test("An error that asks to be left alone is not answered with a repeat")
    func retryAfter() async throws {
        let fixture = try fixture(answer(503, "", [HTTP2Header("retry-after", "7")]))
        let expected = Outcome.retry(after: 7_000, scope: .provider, reason: "APNs says 503")
        #expect(await fixture.send([delivery(1, code, mayRepeat: true)]) == [1: expected])
        #expect(fixture.requests.all.count == 1)
    }
}
