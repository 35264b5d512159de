// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

/// The promise to whoever waits for a code: never two text messages, and never none while the code lives, except where
/// nobody can know and the timeline says so.
@Suite("A PIN code arrives once, whatever happens", .timeLimit(.minutes(5)))
struct MatrixTests {
    @Test(
        "Every fate of the pushes, of the text message, and of the bus at each of its writes",
        arguments: PushFate.allCases,
        TextFate.allCases
    )
    func cell(push: PushFate, text: TextFate) throws {
        for kind in LedgerKind.allCases { try Self.everyKill(push, text, over: kind) }
    }

    private static func everyKill(_ push: PushFate, _ text: TextFate, over kind: LedgerKind) throws {
        let calm = try PINWorld(push, text, kill: nil, over: kind)
        try calm.run()
        try Self.expectKept(calm)
        #expect(!calm.isLost)
        for write in 0...calm.writes {
            for moment in Kill.Moment.allCases where write > 0 || moment == .after {
                let world = try PINWorld(push, text, kill: Kill(write: write, moment: moment), over: kind)
                try world.run()
                // How often a busy provider is asked is up to chance.
                #expect(world.wasKilled || push == .busy)
                try Self.expectKept(world)
            }
        }
    }

    private static func expectKept(_ world: PINWorld) throws {
        let comment: Comment = "\(world.kind), \(world.push), \(world.text), killed \(String(describing: world.kill))"
        let steps = try world.steps()
        #expect(world.texts.count <= 1, comment)
        #expect(try world.depth() == 0, comment)
        #expect(try world.numbersKept() == 0, comment)
        if let first = world.texts.first { #expect(world.pushes.allSatisfy { $0 <= first }, comment) }
        if world.push == .receiptBefore {
            #expect(world.texts.isEmpty, comment)
            #expect(try world.status() == .delivered, comment)
            #expect(!steps.contains { $0.event == "fallback" }, comment)
            return
        }
        #expect(steps.count { $0.event == "fallback" && $0.channel == "sms" } == 1, comment)
        if !world.isLost {
            #expect(world.texts.count == 1, comment)
            #expect((world.texts.first ?? .distantFuture) <= world.latest, comment)
            #expect(world.phones == [world.push == .noDevice ? "+375290000002" : "+375290000001"], comment)
        }
        try expectEnd(world, steps, comment)
    }

    /// What everybody is told in the end.
    private static func expectEnd(_ world: PINWorld, _ steps: [TimelineEvent], _ comment: Comment) throws {
        let isKnown = world.push == .receiptAfter
        let isUnknown = world.isLost || world.text == .silent
        let isRefused = !world.isLost && world.text == .refused
        #expect(try world.status() == (isKnown ? .delivered : isRefused ? .sendingFailed : .sent), comment)
        #expect(steps.count { $0.event == "unknown" } == (isUnknown ? 1 : 0), comment)
        let isSent = steps.contains { $0.event == "sent" && $0.channel == "sms" }
        #expect(isSent || isUnknown || isRefused, comment)
        let letters = try world.deadLetters().map(\.reason)
        #expect(letters == (isRefused && !isKnown ? ["400 bad receiver"] : []), comment)
        #expect(try world.callbacks() == (isKnown ? [.delivered] : isRefused ? [.failed] : []), comment)
    }
}

extension PINWorld {
    /// When the gateway has to be asked at the latest.
    fileprivate var latest: MonotonicTime {
        switch push {
        case .noDevice, .gone, .badRequest: Self.start.monotonic + 1_000
        case .noAnswer, .ourFault, .busy, .silence, .accepted, .receiptBefore, .receiptAfter: Self.fallbackAt + 1_000
        }
    }
}
