// SPDX-License-Identifier: Apache-2.0

import Bus
import Synchronization
import Threads

/// What the channels of a test's pipeline were given, and what they say to it; found by the name of the pipeline.
final class FarEnds: Sendable {
    struct Sent: Sendable {
        let at: WallTime
        let delivery: Delivery
    }

    private struct State {
        var push: Outcome? = .accepted
        var text: Outcome? = .accepted
        var pushes: [Sent] = []
        var texts: [Sent] = []
        var unanswered: [(sink: any DeliverySink, tickets: [UInt64])] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private static let all = Mutex<[String: FarEnds]>([:])
    private let state = Mutex(State())

    static func named(_ pipeline: String) -> FarEnds {
        all.withLock { all in
            let ends = all[pipeline] ?? FarEnds()
            all[pipeline] = ends
            return ends
        }
    }

    var pushes: [Sent] { state.withLock { $0.pushes } }
    var texts: [Sent] { state.withLock { $0.texts } }

    /// From now on the provider and the gateway say this; `nil`: nothing.
    func answer(push: Outcome?, text: Outcome? = .accepted) {
        state.withLock {
            $0.push = push
            $0.text = text
        }
    }

    /// Answers what was not, so that nobody waits for it.
    func answerAll(_ outcome: Outcome) {
        let unanswered = state.withLock { state in
            defer { state.unanswered = [] }
            return state.unanswered
        }
        for (sink, tickets) in unanswered { sink.report(tickets.map { DeliveryReport(ticket: $0, outcome: outcome) }) }
    }

    /// Waits until the gateway was asked so often.
    func waitForTexts(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.texts.count < count { state.waiters.append((count, continuation)) }
                return state.texts.count >= count
            }
            if isThere { continuation.resume() }
        }
    }

    fileprivate func take(_ deliveries: [Delivery], isText: Bool, _ sink: any DeliverySink) {
        let now = WallTime.now()
        let (outcome, woken) = state.withLock { state in
            let sent = deliveries.map { Sent(at: now, delivery: $0) }
            if isText { state.texts += sent } else { state.pushes += sent }
            let woken = state.waiters.filter { $0.count <= state.texts.count }
            state.waiters.removeAll { $0.count <= state.texts.count }
            let outcome = isText ? state.text : state.push
            if outcome == nil { state.unanswered.append((sink, deliveries.map(\.ticket))) }
            return (outcome, woken)
        }
        if let outcome { sink.report(deliveries.map { DeliveryReport(ticket: $0.ticket, outcome: outcome) }) }
        for waiter in woken { waiter.continuation.resume() }
    }
}

struct PushSettings: ModuleSettings {
    init(from reader: inout SettingsReader) {}
}

struct PushChannel: OutboundChannel {
    static let name = "push"
    static let summary = "For tests."
    let reach = Reach.devices([.ios])
    private let ends: FarEnds

    init(settings: PushSettings, context: ModuleContext) { ends = .named(context.pipeline) }

    func send(_ deliveries: [Delivery], to sink: any DeliverySink) { ends.take(deliveries, isText: false, sink) }
}

struct TextSettings: ModuleSettings {
    let after: Duration

    init(from reader: inout SettingsReader) {
        after = reader.optional("after", "How long pushes have.", default: .seconds(30))
    }
}

struct TextChannel: OutboundChannel {
    static let name = "text"
    static let summary = "For tests."
    static let isForPhones = true
    let reach = Reach.phones
    let fallbackDelay: Int64
    private let ends: FarEnds

    init(settings: TextSettings, context: ModuleContext) {
        ends = .named(context.pipeline)
        fallbackDelay =
            settings.after.components.seconds * 1_000
            + settings.after.components.attoseconds / 1_000_000_000_000_000
    }

    func send(_ deliveries: [Delivery], to sink: any DeliverySink) { ends.take(deliveries, isText: true, sink) }
}

struct SilentApp: InboundAdapter {
    static let name = "app"
    static let summary = "For tests."
    init(settings: PushSettings, context: ModuleContext) {}
}
