// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger keeps what phones tell", .timeLimit(.minutes(1)))
struct ReceiptConformance {
    /// A ledger with one notification to anna (two devices) and boris (one).
    private static func with(
        _ kind: LedgerKind,
        type: NotificationType = .universal,
        timeout: Int = 3_600,
        _ body: (any Ledger, PipelineNumber, _ first: Int64) async throws -> Void
    ) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            for (user, device) in [("anna", "d1"), ("anna", "d2"), ("boris", "d3")] {
                let new = NewSubscription.sample(
                    RecipientID(user),
                    in: bank,
                    device: device,
                    token: device,
                    subscriber: "s-\(device)"
                )
                try await ledger.subscribe(new)
            }
            let sample = Acceptance.sample("n1", in: bank, to: ["anna", "boris"], timeout: timeout, type: type)
            try await body(ledger, bank, try firstDelivery(try await ledger.accept(sample)))
        }
    }

    private static func tell(
        _ ledger: any Ledger,
        _ bank: PipelineNumber,
        _ event: Receipt.Event,
        from subscriber: String,
        at: WallTime = .noon + 5,
        button: String? = nil
    ) async throws -> Bool {
        let receiver = try #require(try await ledger.receiver(subscriber, of: "n1", in: bank))
        let delivery = try #require(receiver.delivery)
        let result = try await ledger.receive(
            NewReceipt(
                pipeline: bank,
                delivery: delivery,
                subscription: receiver.subscription.sequence,
                event: event,
                button: button,
                at: at
            )
        )
        return result != .known
    }

    @Test("A subscriber is found by its public name, and the delivery to its user", arguments: LedgerKind.allCases)
    func found(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, first in
            let other = try ledger.pipeline(named: "other")
            #expect(try await ledger.receiver("s-d3", of: "n1", in: bank)?.delivery == first + 1)
            #expect(try await ledger.receiver("s-d3", of: "n2", in: bank)?.subscription.deviceID == "d3")
            #expect(try await ledger.receiver("s-d3", of: "n2", in: bank)?.delivery == nil)
            #expect(try await ledger.receiver("s-d4", of: "n1", in: bank) == nil)
            #expect(try await ledger.receiver("s-d3", of: "n1", in: other) == nil)
            #expect(try await ledger.subscription(named: "s-d1", in: bank)?.user == "anna")
            #expect(try await ledger.subscription(named: "s-d1", in: other) == nil)
        }
    }

    @Test("A recipient among very many is found, whoever he is and in whatever order", arguments: LedgerKind.allCases)
    func amongMany(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            try await ledger.subscribe(.sample("anna", in: bank, subscriber: "s"))
            for count in [1, 63, 64, 65, 1_000] {
                for place in Set([0, count / 2, count - 1]) {
                    // Names on both sides of hers in the order of bytes, some beyond ASCII.
                    var users = (0..<count).map { RecipientID("\(["", "z", "Я", "A"][$0 % 4])\($0)") }
                    users[place] = "anna"
                    let id = NotificationID("\(count) \(place)")
                    _ = try await ledger.accept(.sample(id, in: bank, to: users))
                    let delivery = try #require(try await ledger.receiver("s", of: id, in: bank)?.delivery)
                    let subscription = try #require(try await ledger.subscription(named: "s", in: bank)).sequence
                    let receipt = NewReceipt(
                        pipeline: bank,
                        delivery: delivery,
                        subscription: subscription,
                        event: .opened,
                        at: .noon
                    )
                    #expect(try await ledger.receive(receipt) == .kept)
                    let read = try #require(try await ledger.statuses(of: id, in: bank)).filter { $0.status == .read }
                    #expect(read.map(\.recipient) == ["anna"])
                }
                let others = (0..<count).map { RecipientID("user\($0)") }
                _ = try await ledger.accept(.sample(NotificationID("without \(count)"), in: bank, to: others))
                let without = try await ledger.receiver("s", of: NotificationID("without \(count)"), in: bank)
                #expect(without?.delivery == nil)
            }
        }
    }

    @Test(
        "Each receipt of a device counts once, in any order, and none takes a status back",
        arguments: LedgerKind.allCases
    )
    func orders(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, first in
            try await ledger.settle(
                Settlement(delivery: first, status: .sent, at: .noon + 1, attempts: 1, channel: "apns")
            )
            #expect(try await Self.tell(ledger, bank, .opened, from: "s-d1"))
            #expect(try await ledger.statuses(of: "n1", in: bank)?.map(\.status) == [.read, .queued])
            #expect(try await Self.tell(ledger, bank, .opened, from: "s-d1") == false)
            #expect(try await Self.tell(ledger, bank, .delivered, from: "s-d1", at: .noon + 9))
            #expect(try await Self.tell(ledger, bank, .delivered, from: "s-d2", at: .noon + 10))
            try await ledger.settle(Settlement(delivery: first, status: .sent, at: .noon + 11, attempts: 1))
            #expect(try await ledger.statuses(of: "n1", in: bank)?.map(\.status) == [.read, .queued])
            #expect(try await Self.tell(ledger, bank, .dismissed, from: "s-d3"))
            #expect(try await ledger.statuses(of: "n1", in: bank)?.map(\.status) == [.read, .delivered])
        }
    }

    @Test(
        "That a phone has it wins over what the bus had given up",
        arguments: LedgerKind.allCases,
        [DeliveryStatus.expired, .sendingFailed, .invalidSubscription]
    )
    func wins(kind: LedgerKind, end: DeliveryStatus) async throws {
        try await Self.with(kind) { ledger, bank, first in
            try await ledger.settle(Settlement(delivery: first, status: end, at: .noon + 1, attempts: 1))
            #expect(try await Self.tell(ledger, bank, .delivered, from: "s-d1"))
            #expect(try await ledger.statuses(of: "n1", in: bank)?.first?.status == .delivered)
            try await ledger.settle(Settlement(delivery: first, status: end, at: .noon + 7, attempts: 1))
            #expect(try await ledger.statuses(of: "n1", in: bank)?.first?.status == .delivered)
            let steps = try await ledger.timeline(of: "n1", in: bank) ?? []
            let annas = steps.filter { $0.recipient == "anna" }
            #expect(annas.map(\.event) == ["accepted", end.rawValue.lowercased(), "delivered"])
            #expect(annas.map(\.at) == [.noon, .noon + 1, .noon + 5])
        }
    }

    @Test("A receipt that comes before the delivery is settled is not lost", arguments: LedgerKind.allCases)
    func early(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, first in
            #expect(try await Self.tell(ledger, bank, .opened, from: "s-d1"))
            try await ledger.settle(Settlement(delivery: first, status: .expired, at: .noon + 9, attempts: 1))
            #expect(try await ledger.statuses(of: "n1", in: bank)?.first?.status == .read)
            #expect(try await ledger.due(.bulk(bank), now: .noon + 10).map(\.recipient) == ["boris"])
        }
    }

    @Test("A timeline tells the steps in their order, with channel, device and button", arguments: LedgerKind.allCases)
    func timeline(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, first in
            let retry = Settlement(
                delivery: first,
                status: .queued,
                at: .noon + 1,
                nextAttempt: .noon + 2,
                attempts: 1,
                outcomes: [DeviceOutcome(subscription: 1, channel: "apns", problem: "503")]
            )
            try await ledger.settle(retry)
            try await ledger.settle(
                Settlement(
                    delivery: first,
                    status: .sent,
                    at: .noon + 2,
                    attempts: 2,
                    channel: "apns",
                    device: 1,
                    outcomes: [DeviceOutcome(subscription: 2, channel: "fcm", problem: nil)]
                )
            )
            _ = try await Self.tell(ledger, bank, .delivered, from: "s-d1", at: .noon + 3)
            _ = try await Self.tell(ledger, bank, .delivered, from: "s-d2", at: .noon + 4)
            _ = try await Self.tell(ledger, bank, .clicked, from: "s-d2", at: .noon + 5, button: "pay")
            try await ledger.settle(Settlement(delivery: first + 1, status: .expired, at: .noon + 6, attempts: 1))
            let steps = try #require(try await ledger.timeline(of: "n1", in: bank))
            func step(
                _ offset: Int64,
                _ event: String,
                _ recipient: RecipientID = "anna",
                device: String? = nil,
                channel: String? = nil,
                detail: String? = nil
            ) -> TimelineEvent {
                TimelineEvent(
                    at: .noon + offset,
                    recipient: recipient,
                    device: device,
                    channel: channel,
                    event: event,
                    detail: detail
                )
            }
            #expect(
                steps == [
                    step(0, "accepted"),
                    step(0, "accepted", "boris"),
                    step(1, "problem", device: "d1", channel: "apns", detail: "503"),
                    step(2, "sent", device: "d1", channel: "apns"),
                    step(2, "sent", device: "d2", channel: "fcm"),
                    step(3, "delivered", device: "d1"),
                    step(4, "delivered", device: "d2"),
                    step(5, "read", device: "d2", detail: "clicked, button pay"),
                    step(6, "expired", "boris"),
                ]
            )
            #expect(try await ledger.timeline(of: "n1", in: bank, limit: 3)?.count == 3)
            #expect(try await ledger.timeline(of: "n2", in: bank) == nil)
        }
    }

    @Test(
        "A PIN code is gone for its reader at once, and for the bank when all have read it",
        arguments: LedgerKind.allCases
    )
    func pinRead(kind: LedgerKind) async throws {
        try await Self.with(kind, type: .pinCode) { ledger, bank, first in
            #expect(try await ledger.details(ofDelivery: first)?.name == "title")
            for offset in 0..<2 {
                let sent = Settlement(delivery: first + Int64(offset), status: .sent, at: .noon + 1, attempts: 1)
                try await ledger.settle(sent)
            }
            _ = try await Self.tell(ledger, bank, .opened, from: "s-d1")
            #expect(try await ledger.details(ofDelivery: first) == nil)
            #expect(try await ledger.details(ofDelivery: first + 1)?.name == "title")
            #expect(try await ledger.notification("n1", in: bank)?.content.target == "4711")
            _ = try await Self.tell(ledger, bank, .clicked, from: "s-d3")
            try await Self.expectErased(ledger, bank)
            #expect(try await ledger.conclude(bank, now: .noon + 10_000_000) == 0)
        }
    }

    @Test("A PIN code that is read before its provider answers is gone with the answer", arguments: LedgerKind.allCases)
    func pinReadEarly(kind: LedgerKind) async throws {
        try await Self.with(kind, type: .pinCode) { ledger, bank, first in
            _ = try await Self.tell(ledger, bank, .opened, from: "s-d1")
            _ = try await Self.tell(ledger, bank, .opened, from: "s-d3")
            for offset in 0..<2 {
                try await ledger.settle(
                    Settlement(
                        delivery: first + Int64(offset),
                        status: .sent,
                        at: .noon + 9,
                        attempts: 1,
                        isSecret: true
                    )
                )
            }
            try await Self.expectErased(ledger, bank)
            #expect(try await ledger.conclude(bank, now: .noon + 10_000_000) == 0, "it is on the disk until its time")
        }
    }

    @Test(
        "A PIN code is gone when its time has passed, first to the eye, then from the disk",
        arguments: LedgerKind.allCases
    )
    func pinTimeout(kind: LedgerKind) async throws {
        try await Self.with(kind, type: .pinCode, timeout: 60) { ledger, bank, first in
            let end: WallTime = .noon + 60_000
            #expect(try await ledger.notification("n1", in: bank, now: end - 1)?.content.target == "4711")
            try await Self.expectErased(ledger, bank, now: end)
            #expect(try await ledger.details(ofDelivery: first, now: end) == nil)
            #expect(try await ledger.conclude(bank, now: end) == 0, "there are open deliveries")
            for offset in 0..<2 {
                let lost = Settlement(delivery: first + Int64(offset), status: .expired, at: end, attempts: 1)
                try await ledger.settle(lost)
            }
            #expect(try await ledger.conclude(bank, now: end - 1) == 0)
            #expect(try await ledger.conclude(bank, now: end) == 1)
            #expect(try await ledger.conclude(bank, now: end) == 0)
            try await Self.expectErased(ledger, bank, now: .noon)
        }
    }

    @Test("Other content stays when it was read and its time has passed", arguments: LedgerKind.allCases)
    func stays(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, first in
            _ = try await Self.tell(ledger, bank, .opened, from: "s-d1")
            _ = try await Self.tell(ledger, bank, .opened, from: "s-d3")
            #expect(try await ledger.conclude(bank, now: .noon + 10_000_000) == 0)
            #expect(try await ledger.notification("n1", in: bank, now: .noon + 10_000_000)?.content.target == "4711")
            #expect(try await ledger.details(ofDelivery: first, now: .noon + 10_000_000)?.name == "title")
        }
    }

    private static func expectErased(_ ledger: any Ledger, _ bank: PipelineNumber, now: WallTime = .noon) async throws {
        let notification = try #require(try await ledger.notification("n1", in: bank, now: now))
        #expect(notification.content.text.isEmpty)
        #expect(notification.content.target == nil)
        #expect(notification.content.type == .pinCode)
        #expect(notification.details == nil)
        #expect(notification.recipients.count == 2)
    }

    @Test("The phone of a notification's one recipient is hidden from his app", arguments: LedgerKind.allCases)
    func hiddenPhone(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let phone = PushDetails.Tag(key: "phone", value: "+375290000000")
            let other = PushDetails.Tag(key: "card", value: "4242")
            for (id, tags, users, shown) in [
                ("n1", [phone, other], ["anna"], [other]), ("n2", [phone], ["anna"], nil),
                ("n3", [phone, other], ["anna", "boris"], [phone, other]),
            ] as [(NotificationID, [PushDetails.Tag], [RecipientID], [PushDetails.Tag]?)] {
                let sample = Acceptance.sample(id, in: bank, to: users, details: PushDetails(tags: tags))
                let first = try firstDelivery(try await ledger.accept(sample))
                #expect(try await ledger.details(ofDelivery: first)?.tags == shown)
            }
        }
    }
}
