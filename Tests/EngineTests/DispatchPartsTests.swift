// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Testing

@testable import Engine

@Suite("The parts of a dispatch")
struct DispatchPartsTests {
    private final class Item: Numbered {
        let number: Int64
        init(_ number: Int64) { self.number = number }
    }

    @Test("A ticket finds what it was given for, and nothing once that is gone")
    func slab() {
        var generator = SeededGenerator(seed: 11)
        var slab = Slab<Int>()
        var held: [Ticket: Int] = [:]
        var gone: [Ticket] = []
        for number in 0..<5_000 {
            if Int.random(in: 0..<3, using: &generator) == 0, let ticket = held.keys.randomElement(using: &generator) {
                let removed = slab.remove(ticket)
                #expect(removed == held.removeValue(forKey: ticket))
                gone.append(ticket)
            } else {
                let ticket = slab.insert(number)
                #expect(held.updateValue(number, forKey: ticket) == nil, "a ticket was given twice")
            }
            #expect(slab.count == held.count)
        }
        for ticket in gone {
            #expect(slab[ticket] == nil)
            let removed = slab.remove(ticket)
            #expect(removed == nil)
        }
        for (ticket, number) in held { #expect(slab[ticket] == number) }
        #expect(Set(slab.tickets { $0 % 2 == 0 }) == Set(held.filter { $0.value % 2 == 0 }.keys))
        #expect(slab[Ticket(rawValue: 0)] == nil, "channels that invent tickets are not heard")
        #expect(slab[Ticket(rawValue: .max)] == nil)
    }

    @Test("The table finds what is in it, whatever the numbers")
    func table() {
        var generator = SeededGenerator(seed: 5)
        var table = NumberTable<Item>()
        var model: [Int64: Item] = [:]
        for _ in 0..<10_000 {
            let number = Int64.random(in: -200...400, using: &generator)
            if let item = model.removeValue(forKey: number) {
                let removals = (table.remove(item), table.remove(item))
                #expect(removals == (true, false))
            } else {
                let item = Item(number)
                model[number] = item
                table.insert(item)
            }
            #expect(table.count == model.count)
            let asked = Int64.random(in: -200...400, using: &generator)
            #expect(table[asked] === model[asked])
        }
        #expect(table.elements { _ in true }.map(\.number) == model.keys.sorted())
        let isOtherRemoved = table.remove(Item(model.keys.first ?? 0))
        #expect(!isOtherRemoved, "another one of that number")
    }

    @Test("A cursor reads one page at a time, and knows what left memory meanwhile")
    func cursor() {
        let now = MonotonicTime.after(1_000)
        var cursor = PageCursor()
        let isWanted1 = cursor.wantsPage(at: now)
        #expect(isWanted1)
        cursor.begin()
        cursor.spill()
        let isWanted2 = cursor.wantsPage(at: now)
        #expect(!isWanted2, "one is being read")
        #expect(cursor.nextRead == nil)
        for number in [Int64(9), 2, 5] { cursor.noteEvicted(number) }
        let evicted = cursor.end()
        #expect((0...10).filter(evicted.contains) == [2, 5, 9])
        let isWanted3 = cursor.wantsPage(at: now)
        #expect(isWanted3, "it was spilled while it was read")
        cursor.begin()
        #expect(!cursor.end().contains(5))
        cursor.noteEvicted(5)
        cursor.noteDue(now + 50)
        cursor.noteDue(now + 100)
        #expect(cursor.nextRead == now + 50)
        let isWanted4 = cursor.wantsPage(at: now + 49)
        #expect(!isWanted4)
        let isWanted5 = cursor.wantsPage(at: now + 50)
        #expect(isWanted5)
        cursor.begin()
        #expect(!cursor.end().contains(5), "nothing was read when it left")
    }

    @Test("What the ledger could not write is written again, in order and once")
    func outbox() throws {
        var outbox = SettlementOutbox<Int, String>()
        #expect(outbox.flush() == nil)
        outbox.append(1, of: "a")
        outbox.append(2, of: "b")
        let firstFound = outbox.flush()
        let first = try #require(firstFound)
        outbox.append(3, of: "c")
        let secondFound = outbox.flush()
        let second = try #require(secondFound)
        #expect(first.settlements == [1, 2])
        let failedFound = outbox.take(first.ticket)
        let failed = try #require(failedFound)
        outbox.keep(failed)
        #expect(outbox.take(first.ticket) == nil)
        #expect(outbox.flush() == nil, "not at once")
        #expect(outbox.take(second.ticket)?.subjects == ["c"])
        #expect(!outbox.isEmpty)
        outbox.retry()
        let againFound = outbox.flush()
        let again = try #require(againFound)
        #expect(again.settlements == [1, 2])
        #expect(outbox.take(again.ticket)?.subjects == ["a", "b"])
        #expect(outbox.isEmpty)
    }

    @Test("A far end's failures are told once a minute, its suspension and its recovery once")
    func farEnd() {
        let start = MonotonicTime.after(1_000)
        var farEnd = FarEnd(.channel, isPaused: false)
        let failure = Outcome.retry(after: nil, scope: .provider, reason: "503")
        var told: [String] = []
        for count in 0..<Int64(40) { told += farEnd.take(failure, to: start, at: start + count).map(\.message) }
        #expect(
            told == [
                "the far end fails: deliveries are tried again", "channel suspended: the far end fails",
            ]
        )
        #expect(!farEnd.isUsable)
        #expect(farEnd.take(.accepted, to: start, at: start + 50).isEmpty, "it was asked before the suspension")
        let probes = (farEnd.admits(at: start + 5_000), farEnd.admits(at: start + 5_000))
        #expect(probes == (true, false), "one probe at a time")
        let works = farEnd.take(.accepted, to: start + 5_000, at: start + 5_100)
        #expect(works == [FarEnd.Note(level: .info, message: "channel works again")])
        #expect(farEnd.isUsable)
        farEnd.pause(true, at: start + 6_000)
        let isAdmitted = farEnd.admits(at: start + 6_000)
        #expect(!farEnd.isUsable && !isAdmitted)
    }

    @Test("A bank is told of at its first good answer after every failure that was told")
    func bank() {
        let start = MonotonicTime.after(1_000)
        var farEnd = FarEnd(.bank, isPaused: false)
        let failure = Outcome.unknown(reason: "no answer")
        #expect(
            farEnd.take(failure, to: start, at: start).map(\.message) == ["the bank is silent: it is told again later"]
        )
        #expect(farEnd.take(.rejected(reason: "400"), to: start, at: start + 1).isEmpty, "it took nothing")
        #expect(farEnd.take(.accepted, to: start, at: start + 2).map(\.message) == ["the bank can be told again"])
        #expect(farEnd.take(.accepted, to: start, at: start + 3).isEmpty)
    }

    @Test("Counters of a turn are added once")
    func tally() {
        let fixture = DispatchFixture()
        let metrics = DeliveryMetrics(pipeline: "test", channels: ["apns"])
        var tally = DeliveryTally(channels: 1)
        let gate = fixture.machine.parts.gates[0]
        tally.queued(.bulk, 2)
        tally.pushed(.accepted, by: gate)
        tally.ended(.sent, by: gate)
        tally.ended(.expired, by: nil)
        tally.quarantined(by: gate)
        for _ in 0..<2 { tally.flush(to: metrics) }
        #expect(metrics.depth(.bulk) == 2)
        #expect(metrics.quarantined == [1])
        #expect(metrics.pushes().filter { $0.count > 0 }.map(\.count) == [1])
        let ended = metrics.ended().filter { $0.count > 0 }
        #expect(ended.map(\.status) == [.sent, .expired])
        #expect(ended.map(\.channel) == ["apns", nil])
        #expect(DeliveryStatus.allCases.map(\.column) == Array(0..<DeliveryStatus.allCases.count))
    }
}
