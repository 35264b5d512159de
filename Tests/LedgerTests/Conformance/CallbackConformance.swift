// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Synchronization
import Testing

@Suite("Any ledger keeps what banks are to hear", .timeLimit(.minutes(1)))
struct CallbackConformance {
    private static let later: DueTime = .noon + 100_000_000

    /// A ledger with a notification `n1` to three users, one of whom the bank spells in its own way.
    private static func with(
        _ kind: LedgerKind,
        _ events: Set<BankEvent.Kind> = [.expired, .opened, .delivered, .failed],
        reportsUnconfirmed: Bool = false,
        clocks: TurnedClocks = TurnedClocks(),
        _ body: (any Ledger, PipelineNumber, LinkNumber, _ first: Int64) async throws -> Void
    ) async throws {
        try await withLedger(kind, clocks: clocks) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let link = LinkDeclaration(label: "soap", events: events, reportsUnconfirmed: reportsUnconfirmed)
            let numbers = try ledger.declare([link], in: bank)
            for user in ["anna", "boris", "clara"] as [RecipientID] {
                try await ledger.subscribe(
                    .sample(user, in: bank, device: user.text, token: user.text, subscriber: user.text)
                )
            }
            try await body(ledger, bank, try #require(numbers.first), try await accept("n1", ledger, bank))
        }
    }

    private static func accept(
        _ id: NotificationID,
        _ ledger: any Ledger,
        _ bank: PipelineNumber
    ) async throws -> Int64 {
        let sample = Acceptance.sample(id, in: bank, to: ["anna", "boris", "clara"])
        var deliveries = sample.deliveries
        deliveries[1].spellings = ["Boris", "BORIS"]
        let acceptance = Acceptance(
            pipeline: bank,
            notification: sample.notification,
            at: .noon,
            due: .noon,
            deliveries: deliveries
        )
        return try firstDelivery(try await ledger.accept(acceptance))
    }

    private static func end(
        _ ledger: any Ledger,
        _ deliveries: Int64...,
        as status: DeliveryStatus,
        at: WallTime = .noon
    ) async throws {
        for delivery in deliveries {
            try await ledger.settle(Settlement(delivery: delivery, status: status, at: at, attempts: 1))
        }
    }

    private static func tell(
        _ ledger: any Ledger,
        _ bank: PipelineNumber,
        _ event: Receipt.Event,
        _ subscriber: String,
        of id: NotificationID = "n1"
    ) async throws {
        let receiver = try #require(try await ledger.receiver(subscriber, of: id, in: bank))
        let receipt = NewReceipt(
            pipeline: bank,
            delivery: try #require(receiver.delivery),
            subscription: receiver.subscription.sequence,
            event: event,
            at: .noon + 5
        )
        #expect(try await ledger.receive(receipt) == .kept)
    }

    /// Takes all calls of a link as a bank would that says yes to everything.
    private static func hear(_ ledger: any Ledger, _ link: LinkNumber) async throws -> [String] {
        var heard: [String] = []
        while true {
            let page = try await ledger.dueCallbacks(link, now: later)
            if page.calls.isEmpty { return heard }
            for call in page.calls {
                heard.append("\(call.kind) \(call.notification) \(call.users.map(\.text).joined(separator: ","))")
                try await ledger.settle(call, .told, at: .noon + 100_000_000)
            }
        }
    }

    @Test(
        "The expired users of a notification are gathered, under the bank's own spelling",
        arguments: LedgerKind.allCases
    )
    func gathered(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, _, link, first in
            try await Self.end(ledger, first + 1, first, as: .expired)
            let early = try await ledger.dueCallbacks(link, now: .noon)
            #expect(early.calls.isEmpty, "they wait for others")
            let due = try #require(early.nextDue)
            let call = try #require(try await ledger.dueCallbacks(link, now: due).calls.first)
            #expect(call.users == ["Boris", "anna"])
            #expect(call.kind == .expired)
            #expect(call.notification == "n1")
            #expect(call.at == .noon)
            #expect(try await Self.hear(ledger, link) == ["expired n1 Boris,anna"])
            #expect(try await ledger.dueCallbacks(link, now: Self.later).nextDue == nil)
        }
    }

    @Test("One call names a thousand users at most", arguments: LedgerKind.allCases)
    func thousand(kind: LedgerKind) async throws {
        try await Self.with(kind, [.expired]) { ledger, bank, link, _ in
            let users = (0..<2_500).map { RecipientID("user\($0)") }
            let first = try firstDelivery(try await ledger.accept(.sample("big", in: bank, to: users)))
            try await ledger.expandAll(.bulk(bank))
            let ends = (0..<2_500).map { Settlement(delivery: first + $0, status: .expired, at: .noon, attempts: 0) }
            _ = try await ledger.answer { ledger.settle(ends, completion: $0) }
            var counts: [Int] = []
            while let call = try await ledger.dueCallbacks(link, now: Self.later).calls.first {
                counts.append(call.users.count)
                try await ledger.settle(call, .told)
            }
            #expect(counts == [1_000, 1_000, 500])
        }
    }

    @Test("The calls of a notification keep their order, one at a time", arguments: LedgerKind.allCases)
    func order(kind: LedgerKind) async throws {
        try await Self.with(kind) { ledger, bank, link, first in
            try await Self.end(ledger, first, as: .expired)
            try await Self.tell(ledger, bank, .opened, "boris")
            try await Self.end(ledger, first + 2, as: .sendingFailed)
            try await Self.tell(ledger, bank, .dismissed, "anna")
            #expect(try await ledger.dueCallbacks(link, now: Self.later).calls.count == 1)
            #expect(
                try await Self.hear(ledger, link) == [
                    "expired n1 anna", "delivered n1 Boris", "opened n1 Boris", "failed n1 clara",
                    "delivered n1 anna",
                ]
            )
        }
    }

    @Test("Opened is told once a user and notification, whatever else comes", arguments: LedgerKind.allCases)
    func once(kind: LedgerKind) async throws {
        try await Self.with(kind, [.opened]) { ledger, bank, link, _ in
            let tablet = NewSubscription.sample("anna", in: bank, device: "d2", token: "d2", subscriber: "anna2")
            try await ledger.subscribe(tablet)
            for event in [Receipt.Event.clicked, .opened, .delivered, .dismissed] {
                try await Self.tell(ledger, bank, event, "anna")
                try await Self.tell(ledger, bank, event, "anna2")
            }
            #expect(try await Self.hear(ledger, link) == ["opened n1 anna"])
        }
    }

    @Test("Each link hears what it was declared to want, and only its own pipeline's", arguments: LedgerKind.allCases)
    func declared(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let other = try ledger.pipeline(named: "other")
            let first = LinkDeclaration(label: "a", events: [.expired])
            let second = LinkDeclaration(label: "b", events: [.failed, .expired])
            let mine = try ledger.declare([first, second], in: bank)
            let foreign = try ledger.declare([first], in: other)
            #expect(Set(mine + foreign).count == 3)
            let delivery = try await Self.accept("n1", ledger, bank)
            try await Self.end(ledger, delivery, as: .expired)
            try await Self.end(ledger, delivery + 1, as: .invalidSubscription)
            try await Self.end(ledger, delivery + 2, as: .sent)
            #expect(try ledger.declare([second], in: bank) == [mine[1]])
            try await Self.end(ledger, try await Self.accept("n2", ledger, bank), as: .expired)
            #expect(try await Self.hear(ledger, mine[0]) == ["expired n1 anna"])
            #expect(
                try await Self.hear(ledger, mine[1]) == ["expired n1 anna", "expired n2 anna", "failed n1 Boris"]
            )
            #expect(try await Self.hear(ledger, foreign[0]) == [])
        }
    }

    @Test("A settlement that comes too late gives nothing to hear", arguments: LedgerKind.allCases)
    func late(kind: LedgerKind) async throws {
        try await Self.with(kind, [.expired, .failed]) { ledger, bank, link, first in
            try await Self.end(ledger, first, as: .sent)
            try await Self.end(ledger, first, as: .expired)
            try await Self.tell(ledger, bank, .delivered, "boris")
            try await Self.end(ledger, first + 1, as: .expired)
            try await Self.end(ledger, first + 2, as: .expired)
            try await Self.end(ledger, first + 2, as: .expired)
            #expect(try await Self.hear(ledger, link) == ["expired n1 clara"])
        }
    }

    @Test("A line that has to wait waits as a whole, and outlives the process", arguments: LedgerKind.allCases)
    func waits(kind: LedgerKind) async throws {
        let place = try LedgerPlace(kind)
        let ledger = try place.open()
        let bank = try ledger.pipeline(named: "bank")
        let link = try ledger.declare([LinkDeclaration(label: "soap", events: [.failed])], in: bank)[0]
        let first = try await Self.accept("n1", ledger, bank)
        try await Self.end(ledger, first, as: .sendingFailed)
        let call = try #require(try await ledger.dueCallbacks(link, now: .noon).calls.first)
        try await ledger.settle(call, .later(due: .noon + 500, attempts: 3))
        try await Self.end(ledger, first + 1, as: .sendingFailed)
        ledger.close()
        let again = try place.open()
        defer { again.close() }
        let page = try await again.dueCallbacks(link, now: .noon + 499)
        #expect(page.calls.isEmpty)
        #expect(page.nextDue == .noon + 500)
        let grown = try #require(try await again.dueCallbacks(link, now: .noon + 500).calls.first)
        #expect(grown.users == ["anna", "Boris"])
        #expect(grown.attempts == 3)
        try await again.settle(grown, .told)
        #expect(try await Self.hear(again, link) == [])
    }

    @Test("A dead letter lets its line go on, and can be replayed or dropped", arguments: LedgerKind.allCases)
    func dead(kind: LedgerKind) async throws {
        let clocks = TurnedClocks()
        try await Self.with(kind, clocks: clocks) { ledger, bank, link, first in
            try await Self.end(ledger, first, first + 1, as: .sendingFailed)
            try await Self.tell(ledger, bank, .opened, "clara")
            let call = try #require(try await ledger.dueCallbacks(link, now: Self.later).calls.first)
            try await ledger.settle(call, .dead(attempts: 7, reason: "no such user"), at: .noon + 9)
            #expect(try await Self.hear(ledger, link) == ["delivered n1 clara", "opened n1 clara"])
            let letter = try #require(try await ledger.deadLetters().first)
            #expect(letter.pipeline == "bank")
            #expect(letter.link == "soap")
            #expect(letter.kind == .failed)
            #expect(letter.notification == "n1")
            #expect(letter.users == ["anna", "Boris"])
            #expect(letter.userCount == 2)
            #expect(letter.at == .noon)
            #expect(letter.died == .noon + 9)
            #expect(letter.attempts == 7)
            #expect(letter.reason == "no such user")
            #expect(try await ledger.deadLetter(letter.number) == letter)
            #expect(try await ledger.deadLetters(before: letter.number).isEmpty)
            clocks.pass(50)
            #expect(try await ledger.replayDeadLetter(letter.number, at: .noon + 50))
            #expect(try await ledger.replayDeadLetter(letter.number, at: .noon + 50) == false)
            #expect(try await ledger.deadLetters().isEmpty)
            let replayed = try #require(try await ledger.dueCallbacks(link, now: .noon + 50).calls.first)
            #expect(replayed.users == ["anna", "Boris"])
            #expect(replayed.at == .noon)
            #expect(replayed.since == .noon + 50)
            #expect(replayed.attempts == 0)
            try await ledger.settle(replayed, .dead(attempts: 1, reason: "still none"))
            let second = try #require(try await ledger.deadLetters().first)
            #expect(second.number > letter.number)
            #expect(try await ledger.dropDeadLetter(second.number))
            #expect(try await ledger.dropDeadLetter(second.number) == false)
            #expect(try await ledger.deadLetter(second.number) == nil)
        }
    }

    @Test("What was sent and never confirmed is told as expired where that is wanted", arguments: LedgerKind.allCases)
    func unconfirmed(kind: LedgerKind) async throws {
        try await Self.with(kind, [.opened], reportsUnconfirmed: true) { ledger, bank, link, first in
            try await Self.end(ledger, first, first + 1, as: .sent)
            try await Self.end(ledger, first + 2, as: .expired)
            try await Self.tell(ledger, bank, .delivered, "boris")
            let end: WallTime = .noon + 3_600_000
            #expect(try await ledger.conclude(bank, now: end - 1) == 0)
            #expect(try await ledger.conclude(bank, now: end) == 1)
            #expect(try await ledger.conclude(bank, now: end) == 0)
            #expect(try await Self.hear(ledger, link) == ["expired n1 anna"])
            #expect(try await ledger.statuses(of: "n1", in: bank)?.first?.status == .sent)
        }
    }

    @Test(
        "Whoever watches is woken by what gives his pipeline's links something to hear",
        arguments: LedgerKind.allCases
    )
    func watched(kind: LedgerKind) async throws {
        try await Self.with(kind, [.failed]) { ledger, bank, link, first in
            let sink = RecordingSink()
            ledger.watch(bank, sink)
            try await Self.end(ledger, first, as: .sent)
            #expect(sink.callbacks == 0)
            try await Self.end(ledger, first + 1, as: .sendingFailed)
            #expect(sink.callbacks == 1)
            let call = try #require(try await ledger.dueCallbacks(link, now: Self.later).calls.first)
            try await ledger.settle(call, .dead(attempts: 1, reason: ""))
            #expect(sink.callbacks == 1)
            let letter = try #require(try await ledger.deadLetters().first)
            #expect(try await ledger.replayDeadLetter(letter.number, at: .noon))
            #expect(sink.callbacks == 2)
        }
    }
}
