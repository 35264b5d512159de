// SPDX-License-Identifier: Apache-2.0

import Bus
import Synchronization

/// The phones of the world, found by the name of a pipeline: what they got, and what their gateway says.
final class ScriptedPhones: Sendable {
    private static let all = Mutex<[String: ScriptedPhones]>([:])
    private let state = Mutex((texts: [(phone: String, text: String)](), outcome: Outcome.accepted))

    static func of(_ pipeline: String) -> ScriptedPhones {
        all.withLock { all in
            let phones = all[pipeline] ?? ScriptedPhones()
            all[pipeline] = phones
            return phones
        }
    }

    var texts: [(phone: String, text: String)] { state.withLock { $0.texts } }

    /// The code in the last text.
    var code: String? { texts.last.flatMap { $0.text.split(separator: " ").first { $0.count == 6 }.map(String.init) } }

    func answer(_ outcome: Outcome) { state.withLock { $0.outcome = outcome } }

    func take(_ delivery: Delivery) -> Outcome {
        guard case .phone(let number) = delivery.address else { return .rejected(reason: "no phone") }
        return state.withLock { state in
            state.texts.append((number, delivery.notification.notification.content.text))
            return state.outcome
        }
    }
}

struct PhoneChannel: OutboundChannel {
    static let name = "phones"
    static let summary = "For tests."
    static let isForPhones = true
    let reach = Reach.phones
    private let phones: ScriptedPhones

    init(settings: NoSettings, context: ModuleContext) { phones = .of(context.pipeline) }

    func send(_ deliveries: [Delivery], to sink: any DeliverySink) {
        for delivery in deliveries {
            sink.report([DeliveryReport(ticket: delivery.ticket, outcome: phones.take(delivery))])
        }
    }
}
