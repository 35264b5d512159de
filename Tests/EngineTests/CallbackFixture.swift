// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting

@testable import Engine

/// A callback machine with one link, driven by hand: the fixture is the ledger, the test the bank and the clock.
struct CallbackFixture {
    let machine: CallbackDispatch
    var now = ClockReading.after(1_000_000)
    /// What the ledger holds, line by line.
    private(set) var lines: [Int64: Line] = [:]
    private(set) var told: [Int64] = []
    private(set) var dead: [(line: Int64, reason: String)] = []
    private(set) var notes: [String] = []
    private(set) var loads = 0
    /// What the machine last said of its links.
    private(set) var reports: [LinkReport] = []
    private(set) var mostInMemory = 0
    /// Calls that the bank has and did not answer.
    private(set) var calls: [BankEvent] = []
    /// Whether settlements are written as soon as they are made.
    var writesAtOnce = true
    /// Whether what is settled is this node's to write.
    var isOwner = true
    private var unwritten: [(ticket: Ticket, settlements: [CallbackSettlement])] = []
    /// Pages that were read and are not handed over, while `holdsPages`.
    private(set) var heldPages: [CallbackPage] = []
    var holdsPages = false

    struct Line {
        var due: DueTime
        var attempts = 0
        /// The numbers of its callbacks.
        var callbacks: [Int64]
        var since: DueTime
    }

    init(settings: CallbackSettings = CallbackSettings()) {
        machine = CallbackDispatch(settings: settings, links: ["soap"], metrics: CallbackMetrics(links: ["soap"]))
        tell([])
    }

    /// Has something happen that the bank is to hear.
    mutating func happen(_ line: Int64, callbacks: Int = 1, isAwake: Bool = true) {
        let number = line * 1_000 + Int64(lines[line]?.callbacks.count ?? 0)
        let new = (0..<Int64(callbacks)).map { number + $0 }
        lines[line, default: Line(due: now.due, callbacks: [], since: now.due)].callbacks += new
        if isAwake { tell([.wake]) }
    }

    mutating func tell(_ events: [CallbackDispatch.Event]) {
        var further: [CallbackDispatch.Event] = []
        for action in machine.handle(events, at: now) {
            switch action {
            case .load(let link, let limit):
                loads += 1
                let page = page(limit)
                if holdsPages { heldPages.append(page) } else { further.append(.page(link: link, .success(page))) }
            case .send(_, let events): calls += events
            case .settle(let ticket, let settlements):
                unwritten.append((ticket, settlements))
                if writesAtOnce { further += write() }
            case .note(_, let message, _, _): notes.append(message)
            case .report(let found, _): reports = found
            }
        }
        mostInMemory = max(mostInMemory, machine.count)
        if !further.isEmpty { tell(further) }
    }

    /// Writes what was settled, and returns what tells the machine so.
    private mutating func write() -> [CallbackDispatch.Event] {
        let batches = unwritten
        unwritten = []
        for settlement in batches.flatMap(\.settlements) {
            switch settlement.end {
            case .later(let due, let attempts):
                lines[settlement.line]?.due = due
                lines[settlement.line]?.attempts = attempts
                continue
            case .told: told.append(settlement.line)
            case .dead(_, let reason): dead.append((settlement.line, reason))
            }
            lines[settlement.line]?.callbacks.removeAll { settlement.callbacks.contains($0) }
            lines[settlement.line]?.attempts = 0
            lines[settlement.line]?.due = now.due
            if lines[settlement.line]?.callbacks.isEmpty == true { lines[settlement.line] = nil }
        }
        return batches.map { .settled($0.ticket, .success($0.settlements.map { _ in isOwner })) }
    }

    /// Lets the ledger write what it holds back.
    mutating func writeNow() { tell(write()) }

    /// Lets the ledger fail to write what it holds back.
    mutating func failWrites() {
        let batches = unwritten
        unwritten = []
        tell(batches.map { .settled($0.ticket, .failure(.failed("the disk is full"))) })
    }

    /// Hands over the pages that were held back.
    mutating func handOver() {
        let pages = heldPages
        heldPages = []
        holdsPages = false
        tell(pages.map { .page(link: 0, .success($0)) })
    }

    private func page(_ limit: Int) -> CallbackPage {
        let due = lines.filter { $0.value.due <= now.due }.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
        let calls = due.prefix(limit).compactMap { line, state in
            state.callbacks.first.map { first in
                QueuedCallback(
                    line: line,
                    callbacks: [first],
                    kind: .opened,
                    notification: NotificationID("n\(line)"),
                    users: ["anna"],
                    at: WallTime(milliseconds: state.since.milliseconds),
                    since: state.since,
                    attempts: state.attempts
                )
            }
        }
        let later = lines.values.map(\.due).filter { $0 > now.due }.min()
        return CallbackPage(calls: calls, hasMore: calls.count == limit, nextDue: later)
    }

    /// Answers the oldest calls.
    mutating func answer(_ outcomes: Outcome...) {
        let reports = outcomes.map { DeliveryReport(ticket: calls.removeFirst().ticket, outcome: $0) }
        tell([.reports(reports)])
    }

    /// Answers all calls there are the same way.
    mutating func answerAll(_ outcome: Outcome) {
        let reports = calls.map { DeliveryReport(ticket: $0.ticket, outcome: outcome) }
        calls = []
        tell([.reports(reports)])
    }

    /// Lets the time of the machine's next wake-up come.
    mutating func sleep() {
        let wake = machine.nextWakeUp(after: now) ?? now.monotonic
        now += max(1, wake.milliseconds(since: now.monotonic))
        tell([])
    }

    mutating func wait(_ milliseconds: Int64) {
        now += milliseconds
        tell([])
    }
}
