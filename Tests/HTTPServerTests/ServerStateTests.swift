// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1)))
struct ServerStateTests {
    @Test("A drain whose time is over before anybody waits for its end is not waited for")
    func overBefore() async {
        var state = ServerState(table: RouteTable([]))
        _ = state.begin(Exchange(target: "/"))
        state.drain()
        let early = state.endDrain()
        #expect(early == nil)
        await withCheckedContinuation { continuation in
            let waiting = state.wait(continuation)
            #expect(waiting != nil, "it waits for a request that may never end")
            continuation.resume()
        }
    }

    @Test("The last request, or the end of the time, lets the one who waits go")
    func waits() async {
        for isInTime in [true, false] {
            var state = ServerState(table: RouteTable([]))
            let exchange = Exchange(target: "/")
            let isTaken = state.begin(exchange)
            state.drain()
            let isLateTaken = state.begin(Exchange(target: "/late"))
            #expect(isTaken && !isLateTaken)
            await withCheckedContinuation { continuation in
                let atOnce = state.wait(continuation)
                #expect(atOnce == nil)
                let waiting = isInTime ? state.end(exchange) : state.endDrain()
                #expect(waiting != nil)
                continuation.resume()
            }
        }
    }
}
