// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger keeps a PIN code's text message a single one", .timeLimit(.minutes(1)))
struct FallbackConformance {
    private struct Place {
        let ledger: any Ledger
        let bank: PipelineNumber
        let delivery: Int64

        /// What is due, as a bus that starts at `now` would find it.
        func due(_ now: DueTime) async throws -> QueuedDelivery? {
            try await ledger.due(.urgent(bank), now: now).first
        }

        func status() async throws -> DeliveryStatus? { try await ledger.statuses(of: "n1", in: bank)?.first?.status }

        func steps() async throws -> [String] {
            try await (ledger.timeline(of: "n1", in: bank) ?? []).map {
                [$0.event, $0.channel, $0.detail].compactMap(\.self).joined(separator: " ")
            }
        }

        /// The kinds of callbacks that wait for the bank.
        func callbacks() async throws -> [BankEvent.Kind] {
            let link = try ledger.declare([FallbackConformance.everything], in: bank)[0]
            return try await ledger.dueCallbacks(link, now: .noon + 10_000_000).calls.map(\.kind)
        }

        func report(
            _ fate: GatewayReport.Fate,
            of pipeline: PipelineNumber? = nil,
            at: WallTime = .noon + 90
        ) async throws
            -> Bool
        {
            let report = NewGatewayReport(pipeline: pipeline ?? bank, delivery: delivery, fate: fate, at: at)
            return try await ledger.receive(report)
        }

        func receipt(_ event: Receipt.Event, at: WallTime = .noon + 30) async throws -> ReceiptResult {
            try await ledger.receive(
                NewReceipt(pipeline: bank, delivery: delivery, subscription: 1, event: event, at: at)
            )
        }

        func intent(_ notes: [TimelineNote] = [.fallback(channel: "sms", reason: "no device")]) -> Settlement {
            Settlement(
                delivery: delivery,
                status: .queued,
                at: .noon + 40,
                nextAttempt: .noon + 40,
                attempts: 1,
                sms: .called,
                notes: notes
            )
        }

        func end(_ status: DeliveryStatus, _ text: SMSState, _ notes: TimelineNote...) -> Settlement {
            Settlement(
                delivery: delivery,
                status: status,
                at: .noon + 50,
                attempts: 1,
                channel: status == .sent ? "sms" : nil,
                sms: text,
                notes: notes
            )
        }
    }

    private static let everything = LinkDeclaration(
        label: "bank",
        events: [.expired, .opened, .delivered, .failed]
    )

    private static func with(_ kind: LedgerKind, _ body: (Place) async throws -> Void) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            _ = try ledger.declare([everything], in: bank)
            try await ledger.subscribe(.sample("anna", in: bank))
            let sample = Acceptance.sample("n1", in: bank, type: .pinCode, fallback: .noon + 30_000)
            let delivery = try firstDelivery(try await ledger.accept(sample))
            try await body(Place(ledger: ledger, bank: bank, delivery: delivery))
        }
    }

    @Test(
        "The time of the fallback is kept with the acceptance, and only where there is one",
        arguments: LedgerKind.allCases
    )
    func time(kind: LedgerKind) async throws {
        try await Self.with(kind) { place in
            let kept = try #require(try await place.due(.noon))
            #expect(kept.fallback == .noon + 30_000)
            #expect(kept.sms == nil)
            _ = try await place.ledger.accept(.sample("n2", in: place.bank, priority: 9))
            let other = try await place.ledger.due(.urgent(place.bank), now: .noon).first
            #expect(other?.notification.notification.id == "n2")
            #expect(other?.fallback == nil)
        }
    }

    @Test(
        "An intent is found by whoever starts next, and its gateway's word ends the delivery",
        arguments: LedgerKind.allCases
    )
    func intent(kind: LedgerKind) async throws {
        try await Self.with(kind) { place in
            #expect(try await place.ledger.intend(place.intent()) == [true])
            #expect(try await place.due(.noon + 40)?.sms == .called)
            try await place.ledger.settle(place.end(.sent, .taken))
            #expect(try await place.due(.noon + 9_000_000) == nil)
            #expect(try await place.status() == .sent)
            #expect(try await place.steps() == ["accepted", "fallback sms no device", "sent sms"])
            #expect(try await place.callbacks().isEmpty)
        }
    }

    @Test(
        "In one millisecond the fallback stands before the text message that it led to",
        arguments: LedgerKind.allCases
    )
    func sameMoment(kind: LedgerKind) async throws {
        try await Self.with(kind) { place in
            #expect(try await place.ledger.intend(place.intent()) == [true])
            var sent = place.end(.sent, .taken)
            sent.at = .noon + 40
            try await place.ledger.settle(sent)
            #expect(try await place.steps() == ["accepted", "fallback sms no device", "sent sms"])
        }
    }

    @Test("A gateway that did not take it is asked again, with an intent of its own", arguments: LedgerKind.allCases)
    func again(kind: LedgerKind) async throws {
        try await Self.with(kind) { place in
            _ = try await place.ledger.intend(place.intent())
            let later = Settlement(
                delivery: place.delivery,
                status: .queued,
                at: .noon + 41,
                nextAttempt: .noon + 60,
                attempts: 1,
                outcomes: [DeviceOutcome(subscription: nil, channel: "sms", problem: "503")],
                sms: .due
            )
            try await place.ledger.settle(later)
            #expect(try await place.due(.noon + 59) == nil)
            #expect(try await place.due(.noon + 60)?.sms == .due)
            #expect(try await place.ledger.intend(place.intent([])) == [true])
            #expect(try await place.due(.noon + 60)?.sms == .called)
        }
    }

    @Test(
        "A receipt before the intent leaves nothing to send, and its code is gone when it was read",
        arguments: LedgerKind.allCases,
        [Receipt.Event.delivered, .opened]
    )
    func receiptFirst(kind: LedgerKind, event: Receipt.Event) async throws {
        try await Self.with(kind) { place in
            #expect(try await place.receipt(event) == .ended)
            #expect(try await place.due(.noon + 9_000_000) == nil)
            #expect(try await place.ledger.intend(place.intent()) == [false])
            #expect(try await place.status() == (event == .opened ? .read : .delivered))
            #expect(try await place.steps() == ["accepted", event == .opened ? "read" : "delivered"])
            #expect(try await place.receipt(.dismissed, at: .noon + 31) == .kept)
            #expect(try await place.receipt(event) == .known)
            let left = try await place.ledger.conclude(place.bank, now: .noon + 9_000_000)
            #expect(left == 1 || event == .opened)
        }
    }

    @Test(
        "A receipt after the intent counts, and neither the gateway's answer nor its report takes it back",
        arguments: LedgerKind.allCases
    )
    func receiptLater(kind: LedgerKind) async throws {
        try await Self.with(kind) { place in
            _ = try await place.ledger.intend(place.intent())
            #expect(try await place.receipt(.delivered, at: .noon + 45) == .kept)
            #expect(try await place.due(.noon + 40)?.sms == .called, "the gateway has not answered")
            try await place.ledger.settle(place.end(.sendingFailed, .failed, .refused(channel: "sms", reason: "400")))
            #expect(try await place.status() == .delivered)
            #expect(try await place.report(.undeliverable(reason: "UNDELIV")))
            #expect(try await place.status() == .delivered)
            #expect(try await place.callbacks() == [.delivered])
            #expect(try await place.ledger.deadLetters().isEmpty)
        }
    }

    @Test("A gateway that asks for patience after a receipt is not asked again", arguments: LedgerKind.allCases)
    func receiptBetween(kind: LedgerKind) async throws {
        try await Self.with(kind) { place in
            _ = try await place.ledger.intend(place.intent())
            _ = try await place.receipt(.opened, at: .noon + 45)
            let later = Settlement(
                delivery: place.delivery,
                status: .queued,
                at: .noon + 50,
                nextAttempt: .noon + 60,
                attempts: 1,
                sms: .due
            )
            try await place.ledger.settle(later)
            #expect(try await place.ledger.intend(place.intent()) == [false])
            #expect(try await place.due(.noon + 9_000_000) == nil)
            #expect(try await place.status() == .read)
            #expect(try await place.ledger.notification("n1", in: place.bank)?.content.text.isEmpty == true)
            #expect(try await place.ledger.conclude(place.bank, now: .noon + 9_000_000) == 0, "it is erased")
        }
    }

    @Test(
        "What a gateway refuses ends SENDING_FAILED, with the callback and a dead letter, even where a push was sent",
        arguments: LedgerKind.allCases,
        [true, false]
    )
    func refused(kind: LedgerKind, isPushed: Bool) async throws {
        try await Self.with(kind) { place in
            if isPushed {
                let push = Settlement(
                    delivery: place.delivery,
                    status: .sent,
                    at: .noon + 1,
                    nextAttempt: .noon + 30,
                    attempts: 1,
                    channel: "apns"
                )
                try await place.ledger.settle(push)
            }
            _ = try await place.ledger.intend(place.intent())
            try await place.ledger.settle(
                place.end(.sendingFailed, .failed, .refused(channel: "sms", reason: "400 bad receiver"))
            )
            #expect(try await place.status() == .sendingFailed)
            let pushed = isPushed ? ["sent apns"] : []
            let told = ["fallback sms no device", "problem sms 400 bad receiver", "sending_failed"]
            #expect(try await place.steps() == ["accepted"] + pushed + told)
            #expect(try await place.callbacks() == [.failed])
            let letter = try #require(try await place.ledger.deadLetters().first)
            #expect(letter.link == "sms")
            #expect(letter.pipeline == "bank")
            #expect(letter.users == ["anna"])
            #expect(letter.reason == "400 bad receiver")
            #expect(try await place.ledger.deadLetter(letter.number) == letter)
            let late: WallTime = .noon + 3_600_000
            #expect(try await place.ledger.replayDeadLetter(letter.number, at: late) == false, "its time has passed")
            #expect(try await place.ledger.replayDeadLetter(letter.number, at: .noon + 60))
            #expect(try await place.ledger.deadLetters().isEmpty)
            #expect(try await place.due(.noon + 60)?.sms == .due)
            #expect(try await place.status() == (isPushed ? .sent : .queued))
            #expect(try await place.ledger.intend(place.intent([])) == [true])
            try await place.ledger.settle(
                place.end(.sendingFailed, .failed, .refused(channel: "sms", reason: "400 bad receiver"))
            )
            #expect(try await place.status() == .sendingFailed)
            #expect(try await place.receipt(.delivered, at: .noon + 70) == .kept)
            #expect(try await place.status() == .delivered, "the phone has it after all")
        }
    }

    @Test(
        "A late report settles what was taken or unknown, once, whatever came first",
        arguments: LedgerKind.allCases,
        [SMSState.taken, .called]
    )
    func reports(kind: LedgerKind, state: SMSState) async throws {
        let lost = GatewayReport.Fate.undeliverable(reason: "UNDELIV")
        for fates in [[GatewayReport.Fate.delivered], [.delivered, lost], [lost], [lost, lost], [lost, .delivered]] {
            try await Self.with(kind) { place in
                _ = try await place.ledger.intend(place.intent())
                try await place.ledger.settle(place.end(.sent, state))
                for (index, fate) in fates.enumerated() {
                    #expect(try await place.report(fate, at: .noon + 90 + Int64(index)))
                    #expect(try await place.report(fate, at: .noon + 95))
                }
                #expect(try await place.status() == (fates.contains(.delivered) ? .delivered : .sendingFailed))
                #expect(try await place.ledger.deadLetters().count == (fates[0] == lost ? 1 : 0))
                let kinds: [BankEvent.Kind] = fates[0] == lost ? [.failed] : [.delivered]
                #expect(try await place.callbacks() == kinds)
                if fates == [.delivered] {
                    let steps = ["accepted", "fallback sms no device", "sent sms", "delivered sms"]
                    #expect(try await place.steps() == steps)
                }
            }
        }
    }

    @Test("A report that overtakes the gateway's answer is not undone by it", arguments: LedgerKind.allCases)
    func early(kind: LedgerKind) async throws {
        for fate in [GatewayReport.Fate.delivered, .undeliverable(reason: "UNDELIV")] {
            try await Self.with(kind) { place in
                _ = try await place.ledger.intend(place.intent())
                #expect(try await place.report(fate, at: .noon + 45))
                try await place.ledger.settle(place.end(.sent, .taken))
                #expect(try await place.status() == (fate == .delivered ? .delivered : .sendingFailed))
                #expect(try await place.due(.noon + 9_000_000) == nil)
            }
        }
    }

    @Test("Nothing is believed of a text message that no gateway got", arguments: LedgerKind.allCases)
    func foreign(kind: LedgerKind) async throws {
        try await Self.with(kind) { place in
            #expect(try await place.report(.delivered) == false)
            _ = try await place.ledger.intend(place.intent())
            let other = try place.ledger.pipeline(named: "other")
            #expect(try await place.report(.delivered, of: other) == false)
            #expect(try await place.status() == .queued)
        }
    }

    @Test(
        "What expires or is read while it is parked for a channel is told to the bank",
        arguments: LedgerKind.allCases
    )
    func parked(kind: LedgerKind) async throws {
        try await Self.with(kind) { place in
            let parking = Settlement(
                delivery: place.delivery,
                status: .queued,
                at: .noon + 1,
                nextAttempt: .noon + 1,
                attempts: 1,
                parking: 7,
                sms: .due
            )
            try await place.ledger.settle(parking)
            #expect(try await place.receipt(.opened) == .ended)
            #expect(try await place.callbacks() == [.delivered])
            _ = try await place.ledger.accept(.sample("n2", in: place.bank))
            let second = place.delivery + 1
            var last = Settlement(
                delivery: second,
                status: .queued,
                at: .noon + 1,
                nextAttempt: .noon,
                attempts: 1,
                parking: 7
            )
            try await place.ledger.settle(last)
            last.status = .expired
            last.nextAttempt = nil
            last.parking = nil
            try await place.ledger.settle(last)
            #expect(try await place.callbacks() == [.delivered, .expired])
        }
    }
}
