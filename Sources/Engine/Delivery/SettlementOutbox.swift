// SPDX-License-Identifier: Apache-2.0

/// What is on its way to the ledger: what waits for the end of a turn, what is being written, and what could not be.
///
/// `Subject` is what a settlement is about, so that nobody has to look it up when the ledger answers.
struct SettlementOutbox<Settlement: Sendable, Subject> {
    /// Settlements, and what each is about, in the same order.
    struct Batch {
        fileprivate(set) var settlements: [Settlement] = []
        fileprivate(set) var subjects: [Subject] = []
    }

    private var waiting = Batch()
    private var underWay = Slab<Batch>()
    private var unwritten = Batch()

    /// Whether everything is written.
    var isEmpty: Bool { underWay.isEmpty && unwritten.settlements.isEmpty && waiting.settlements.isEmpty }

    mutating func append(_ settlement: consuming Settlement, of subject: consuming Subject) {
        waiting.settlements.append(settlement)
        waiting.subjects.append(subject)
    }

    /// Hands over what waits, to be written under a ticket; `nil` where nothing does.
    mutating func flush() -> (ticket: Ticket, settlements: [Settlement])? {
        guard !waiting.settlements.isEmpty else { return nil }
        let settlements = waiting.settlements
        let ticket = underWay.insert(waiting)
        waiting = Batch()
        return (ticket, settlements)
    }

    /// Takes out a batch that the ledger has answered, whatever it said.
    mutating func take(_ ticket: Ticket) -> Batch? { underWay.remove(ticket) }

    /// Keeps a batch that the ledger could not write, until ``retry()``.
    mutating func keep(_ batch: Batch) {
        unwritten.settlements += batch.settlements
        unwritten.subjects += batch.subjects
    }

    /// Has written again what could not be, with what waits.
    mutating func retry() {
        waiting.settlements += unwritten.settlements
        waiting.subjects += unwritten.subjects
        unwritten = Batch()
    }
}
