// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService
import PushTesting
import Synchronization
import Testing

@testable import FCM

/// What is repeated on another connection, and how the phone knows it again.
@Suite(.timeLimit(.minutes(1)))
struct SickConnectionTests {
    @Test(
        "An urgent message is repeated with the same body where its connection is sick",
        arguments: [HTTP2ServerAction.silent, refusal(500, "INTERNAL", code: "INTERNAL"), refusal(503, "UNAVAILABLE")]
    )
    func repeated(sick: HTTP2ServerAction) async throws {
        let first = Mutex<UInt64?>(nil)
        let fixture = try Fixture(script: { _, request in
            let isFirst = first.withLock { first in
                first = first ?? request.stream.connection
                return first == request.stream.connection
            }
            return isFirst ? sick : ok
        })
        let start = ContinuousClock.now
        let code = outgoing(type: .pinCode, target: "1234")
        #expect(await fixture.send([android(1, code, mayRepeat: true)]) == [1: .accepted])
        #expect(ContinuousClock.now - start < .seconds(3))
        let requests = fixture.requests.all
        #expect(requests.map(\.stream.connection) == [1, 2])
        #expect(Set(requests.map(\.body)).count == 1)
    }
}
