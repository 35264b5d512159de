// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("What may be used once", .timeLimit(.minutes(1)))
struct OnceConformance {
    private static let key = HashedKey(Array("nonce".utf8))
    private static let end = WallTime.noon + 300_000

    @Test("is used once, also after a restart, until its time is over", arguments: LedgerKind.allCases)
    func once(kind: LedgerKind) async throws {
        let place = try LedgerPlace(kind)
        var ledger = try place.open()
        #expect(try await ledger.use(Self.key, until: Self.end) == .firstAndKept)
        #expect(try await ledger.use(Self.key, until: Self.end) == .again)
        #expect(try await ledger.use(HashedKey(Array("other".utf8)), until: Self.end) == .firstAndKept)
        ledger.close()
        place.clocks.pass(299_000)
        ledger = try place.open()
        #expect(try await ledger.use(Self.key, until: Self.end) == .again)
        place.clocks.pass(5_000)
        #expect(try await ledger.use(Self.key, until: Self.end + 300_000) == .firstAndKept)
        ledger.close()
    }

    @Test("is not free again when the clock is set", arguments: LedgerKind.allCases, [-4_200_000, 4_200_000])
    func steps(kind: LedgerKind, step: Int64) async throws {
        let place = try LedgerPlace(kind)
        var ledger = try place.open()
        #expect(try await ledger.use(Self.key, until: Self.end) == .firstAndKept)
        place.clocks.setWall(.noon + step)
        #expect(try await ledger.use(Self.key, until: Self.end) == .again)
        place.clocks.setWall(.noon)
        #expect(try await ledger.use(Self.key, until: Self.end) == .again)
        if step < 0 {
            place.clocks.setWall(.noon + step)
            ledger.close()
            ledger = try place.open()
            #expect(try await ledger.use(Self.key, until: Self.end) == .again)
        }
        ledger.close()
    }

    @Test("is used by one of many who come at once", arguments: LedgerKind.allCases)
    func race(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let uses = await withTaskGroup(of: KeyUse?.self) { group in
                for _ in 0..<50 { group.addTask { try? await ledger.use(Self.key, until: Self.end) } }
                return await group.reduce(into: [KeyUse?]()) { $0.append($1) }
            }
            #expect(uses.count { $0 == .firstAndKept } == 1)
            #expect(uses.count { $0 == .again } == 49)
        }
    }

    @Test("does not fill the store: what has ended goes as new ones come", arguments: LedgerKind.allCases)
    func pruned(kind: LedgerKind) async throws {
        let place = try LedgerPlace(kind)
        let ledger = try place.open()
        func use(_ numbers: Range<Int>) async throws {
            for number in numbers {
                let key = HashedKey(Array("\(number)".utf8))
                let until = place.clocks.readings.wall() + 1_000
                #expect(try await ledger.use(key, until: until) == .firstAndKept)
            }
        }
        try await use(0..<200)
        place.clocks.pass(10_000)
        try await use(200..<400)
        ledger.close()
        if kind == .sqlite { #expect(try (place.count("SELECT count(*) FROM once") ?? 0) <= 200) }
    }
}
