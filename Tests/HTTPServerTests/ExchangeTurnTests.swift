// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import HTTPServer

@Suite struct ExchangeTurnTests {
    private let answer = Exchange.Answer.response(HTTPResponse(status: 200, text: "first"))
    private let late = Exchange.Answer.response(HTTPResponse(status: 503, text: "late"))

    @Test("A connection is resumed once for all that comes while it is suspended")
    func once() {
        var turn = ExchangeTurn()
        let isUndone = turn.suspend()
        let isResumed = turn.finish(answer)
        let isResumedAgain = turn.finish(late)
        #expect(!isUndone && isResumed && !isResumedAgain)
        guard case .response(let response) = turn.takeAnswer() else {
            Issue.record("the answer is lost")
            return
        }
        #expect(response.status == 200)
        if case .some = turn.takeAnswer() { Issue.record("the answer is there twice") }
    }

    @Test("What comes before the suspension is known undoes it")
    func between() {
        var turn = ExchangeTurn()
        let isResumed = turn.finish(answer)
        #expect(!isResumed, "in the turn that goes on nothing is to be resumed")
        let isUndone = turn.suspend()
        #expect(isUndone)
    }
}
