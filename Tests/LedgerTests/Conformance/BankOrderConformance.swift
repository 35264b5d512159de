// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import SQLite
import Testing

@Suite("Any ledger gives a bank its list back in its order", .timeLimit(.minutes(1)))
struct BankOrderConformance {
    /// Users in an order that no sort makes; some are spelt again, far from where they were first named.
    private struct List {
        let named: [Recipient]
        let acceptance: Acceptance

        init(_ id: NotificationID, in pipeline: PipelineNumber, count: Int, isRespelt: Bool) {
            let users = (0..<count).map { "\(["u", "Я", "a"][$0 % 3])\($0 * 7_919 % count)" }
            var named = users.map { Self.recipient($0, $0) }
            var order = Array(users.indices)
            var deliveries = users.map { NewDelivery(recipient: .init($0), spellings: [.init($0)], isOpen: true) }
            for place in stride(from: 0, to: isRespelt ? count : 0, by: 5) {
                let spelling = users[place].uppercased() + "!"
                let first = named.firstIndex { $0.spelling.text == users[place] } ?? 0
                let index = first + 1 + (place * 3 + 1) % (named.count - first)
                named.insert(Self.recipient(spelling, users[place]), at: index)
                order.insert(place, at: index)
                deliveries[place].spellings.append(.init(spelling))
            }
            var notification = Acceptance.sample(id, in: pipeline).notification
            notification.recipients = named
            self.named = named
            acceptance = Acceptance(
                pipeline: pipeline,
                notification: notification,
                at: .noon,
                due: .noon,
                deliveries: deliveries,
                order: isRespelt ? order : nil
            )
        }

        private static func recipient(_ spelling: String, _ id: String) -> Recipient {
            var recipient = Recipient(RecipientID(spelling))
            recipient.id = RecipientID(id)
            return recipient
        }
    }

    @Test(
        "Details and statuses name each spelling in the place that the bank gave it",
        arguments: LedgerKind.allCases,
        [(1, false), (2, true), (63, false), (63, true), (64, false), (64, true), (200, false), (200, true)]
    )
    func list(kind: LedgerKind, size: (count: Int, isRespelt: Bool)) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let list = List("n1", in: bank, count: size.count, isRespelt: size.isRespelt)
            let first = try firstDelivery(try await ledger.accept(list.acceptance))
            let place = size.count / 2
            let user = list.acceptance.deliveries[place].recipient
            try await ledger.settle(
                Settlement(delivery: first + Int64(place), status: .sent, at: .noon, attempts: 1)
            )
            #expect(try await ledger.notification("n1", in: bank)?.recipients == list.named)
            let expected = list.named.map { RecipientStatus($0.spelling, $0.id == user ? .sent : .queued) }
            #expect(try await ledger.statuses(of: "n1", in: bank) == expected)
        }
    }

    @Test("Nothing is kept of an order that the deliveries are in anyway")
    func nothing() async throws {
        let place = try LedgerPlace(.sqlite)
        let ledger = try place.open()
        defer { ledger.close() }
        let bank = try ledger.pipeline(named: "bank")
        let rising = (0..<200).map { RecipientID("\($0 + 1_000)") }
        _ = try await ledger.accept(.sample("n1", in: bank, to: rising))
        _ = try await ledger.accept(.sample("n2", in: bank, to: ["boris", "anna"]))
        #expect(try place.count("SELECT count(*) FROM bank_order") == 0)
        _ = try await ledger.accept(.sample("n3", in: bank, to: rising.reversed()))
        #expect(try place.count("SELECT count(*) FROM bank_order") == 1)
    }

    @Test(
        "Of an order that is damaged nothing comes but the list in the order of the deliveries",
        arguments: [
            "x''", "x'00'", "x'ff'", "zeroblob(66)", "zeroblob(100000)", "x'01' || substr(places, 2)",
            "substr(places, 1, length(places) - 1)", "places || x'00'", "x'80' || places",
            "replace(hex(places), 'a', 'b')",
            "x'ffffffffffffffffff01' || substr(places, 2)", "randomblob(length(places))", "'text'", "-1",
        ]
    )
    func damaged(places: String) async throws {
        let place = try LedgerPlace(.sqlite)
        var ledger = try place.open()
        let bank = try ledger.pipeline(named: "bank")
        let list = List("n1", in: bank, count: 66, isRespelt: true)
        _ = try await ledger.accept(list.acceptance)
        ledger.close()
        try Connection(path: place.path, mode: .readWrite).execute("UPDATE bank_order SET places = \(places)")
        ledger = try place.open()
        defer { ledger.close() }
        let stored = list.acceptance.deliveries.flatMap(\.spellings)
        #expect(try await ledger.statuses(of: "n1", in: bank)?.map(\.recipient) == stored)
        #expect(try await ledger.notification("n1", in: bank)?.recipients.map(\.spelling) == stored)
    }
}
