// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting

@testable import Engine

/// What providers say in these tests.
enum PINAnswers {
    static let busy = Outcome.retry(after: nil, scope: .delivery, reason: "429 TooManyRequests")
    static let dead = Outcome.gone(Outcome.Gone(since: nil, isAmbiguous: false, reason: "410 Unregistered"))
}

extension DispatchFixture {
    /// How long pushes have, in milliseconds.
    static let pushesHave: Int64 = 30_000

    /// A machine with a channel for iPhones and a gateway, and anna's PIN code in it.
    static func pin(
        timeout: Int = 600,
        isPerishable: Bool = false,
        devices: Int = 1,
        phone: String? = "+375290000001",
        type: NotificationType = .pinCode,
        condition: Condition? = nil,
        rate: Double? = nil,
        settings: DispatchSettings = DispatchFixture.trusting,
        prepare: (inout DispatchFixture) -> Void = { _ in }
    ) -> DispatchFixture {
        let channels = [
            ChannelSetup(label: "apns", reach: .devices([.ios]), condition: nil),
            ChannelSetup(label: "sms", reach: .phones, condition: condition, rate: rate, fallbackDelay: pushesHave),
        ]
        var fixture = DispatchFixture(settings: settings, channels: channels)
        fixture.devices["anna"] = (0..<devices).map {
            DispatchFixture.device(of: "anna", number: 100 - Int64($0), phone: phone)
        }
        prepare(&fixture)
        let notification = DispatchFixture.notification(timeout: timeout, type: type, isPerishable: isPerishable)
        let routes = fixture.machine.parts.gates.compactMap(\.phones)
        fixture.accept(
            notification,
            fallback: routes.fallbackTime(for: notification, at: fixture.now)
        )
        return fixture
    }

    /// The reasons that the timeline is told.
    var reasons: [String] {
        intents.flatMap(\.notes).map { note in
            if case .fallback("sms", let reason) = note { reason } else { "\(note)" }
        }
    }

    /// The text messages that are under way.
    var texts: [Delivery] { attempts.filter { $0.address == .phone("+375290000001") } }

    /// Whether nothing is in memory and nothing is counted as under way.
    var isEmpty: Bool {
        machine.parts.table.count == 0 && machine.parts.lanes.allSatisfy { $0.count == 0 && $0.active == 0 }
    }

    /// Answers the first attempt that is meant.
    mutating func answerFirst(_ isMeant: (Delivery) -> Bool, _ outcome: Outcome) {
        guard let index = attempts.firstIndex(where: isMeant) else { return }
        let attempt = attempts.remove(at: index)
        tell([.reports([DeliveryReport(ticket: attempt.ticket, outcome: outcome)])])
    }

    /// Answers what the ledger was asked for with what was last written of the deliveries that left memory.
    mutating func answerLoads() {
        for (lane, _) in loads where machine.parts.lanes[lane.rawValue].cursor.isLoading {
            var latest: [Int64: Settlement] = [:]
            for settlement in settled + intents { latest[settlement.delivery] = settlement }
            let due = latest.values.filter { settlement in
                machine.parts.table[settlement.delivery] == nil && settlement.nextAttempt.map { $0 <= now.due } ?? false
            }
            let rows = due.compactMap { settlement in
                accepted[settlement.delivery].map { place in
                    QueuedDelivery(
                        sequence: settlement.delivery,
                        notification: place.notification,
                        recipient: place.recipient,
                        status: settlement.status,
                        attempts: settlement.attempts,
                        due: now.due,
                        finishedDevices: settlement.finishedDevices,
                        fallback: place.fallback,
                        sms: settlement.sms,
                        phone: settlement.phone
                    )
                }
            }
            let later = latest.values.compactMap(\.nextAttempt).filter { $0 > now.due }.min()
            tell([.page(lane, .success(DuePage(deliveries: rows, nextDue: later)))])
        }
    }
}
