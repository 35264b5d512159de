// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

/// The crash matrix for a store that has no files: every commit fails in every way.
@Suite(.timeLimit(.minutes(1)))
struct LostCommitTests {
    @Test(
        "Whatever commit fails, what was answered OK is there and nothing is there by half",
        arguments: LostCommit.Way.allCases
    )
    func everyCommit(way: LostCommit.Way) async throws { try await Workload.failEverywhere(.memory, LostCommit(way)) }

    @Test("A commit that fails takes the others of its transaction with it, and is told to nobody")
    func together() async throws {
        let place = try LedgerPlace(.memory)
        let nodes = try (1...2).map { try place.open(node: $0) }
        defer { for node in nodes { node.close() } }
        let bank = try nodes[0].pipeline(named: "bank")
        let sink = RecordingSink()
        for node in nodes { node.watch(bank, sink) }
        place.memory.fail(CommitFault(first: 1, isLasting: true))
        let failures = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask {
                    do {
                        _ = try await nodes[0].accept(.sample(NotificationID("n\(number)"), in: bank))
                        return false
                    } catch { return true }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(failures == 20)
        #expect(nodes[0].condition.errors > 0)
        place.memory.fail(nil)
        #expect(try await nodes[0].depth(bank)[.bulk(bank)] == 0)
        #expect(sink.events.isEmpty)
        #expect(try firstDelivery(try await nodes[0].accept(.sample("n0", in: bank))) == 1)
    }
}

/// Commits that fail in one way.
struct LostCommit: FaultyDisk {
    enum Way: CaseIterable, Sendable {
        /// Nothing of it is kept, and the store goes on.
        case refused
        /// It is kept, but nobody hears so.
        case unanswered
        /// It is the last thing that happens, kept or not.
        case dead, deadAfter
    }

    let way: Way
    init(_ way: Way) { self.way = way }

    func open(_ place: LedgerPlace) throws -> any Ledger { try place.open() }

    func fail(_ place: LedgerPlace, at operation: Int) {
        place.memory.fail(
            CommitFault(
                first: operation,
                isKept: way == .unanswered || way == .deadAfter,
                isLasting: way == .dead || way == .deadAfter
            )
        )
    }

    func mend(_ place: LedgerPlace) { place.memory.fail(nil) }
    func operations(_ place: LedgerPlace) -> Int { place.memory.commits }
    func isWhole(_ place: LedgerPlace) throws -> Bool { true }
}
