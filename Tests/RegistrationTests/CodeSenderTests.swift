// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import Engine

@Suite("Sending a code", .timeLimit(.minutes(1)))
struct CodeSenderTests {
    /// Tells whatever it was made with, wanted or not.
    private struct Channel: OutboundChannel {
        static let name = "unruly"
        static let summary = "For tests."
        let reach = Reach.phones
        var outcomes: [Outcome] = []

        init(_ outcomes: [Outcome]) { self.outcomes = outcomes }
        init(settings: NoSettings, context: ModuleContext) {}

        func send(_ deliveries: [Delivery], to sink: any DeliverySink) {
            for outcome in outcomes { sink.report([DeliveryReport(ticket: deliveries[0].ticket, outcome: outcome)]) }
        }
    }

    @Test("the first outcome counts where a channel tells several")
    func several() async {
        let sender = CodeSender(channel: Channel([.accepted, .rejected(reason: "no"), .accepted]))
        #expect(await sender.send("Code 1", to: "+79161234567", lasting: 60) == .accepted)
    }

    @Test("a channel that tells nothing leaves the outcome unknown, and nobody waits for ever")
    func silence() async {
        let sender = CodeSender(channel: Channel([]), silence: .milliseconds(20))
        let outcome = await sender.send("Code 1", to: "+79161234567", lasting: 60)
        #expect(outcome == .unknown(reason: "the channel told no outcome"))
    }
}
