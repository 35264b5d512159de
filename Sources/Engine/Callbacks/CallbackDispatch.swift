// SPDX-License-Identifier: Apache-2.0

import Bus

/// Decides what a pipeline's banks are told when: a window for each link, retries, pauses, and ends.
///
/// A state machine without I/O, threads or clocks, as ``Dispatch`` is: events go in with the time, actions come out and
/// are carried out by the ``CallbackDispatcher``. One thread's own. The ledger holds the truth; memory holds at most a window of it, so a
/// bank that is slow or gone costs nothing but its own delay.
final class CallbackDispatch {
    /// What happened.
    enum Event: Sendable {
        /// There may be something new to tell.
        case wake
        /// The ledger read what is due to a link.
        case page(link: Int, Result<CallbackPage, LedgerError>)
        /// Links told what became of calls.
        case reports([DeliveryReport])
        /// The ledger wrote settlements, each where it was this node's to write, or could not.
        case settled(Ticket, Result<[Bool], LedgerError>)
        /// An operator stopped a link or let it go on.
        case pause(link: String, Bool)
        /// Somebody wants to know how the links are.
        case inspect(@Sendable ([LinkReport]) -> Void)
        /// Nothing new is to be begun.
        case drain
        /// A drain waits no longer for answers.
        case abandon
    }

    /// What is to be done.
    enum Action: Sendable {
        case load(link: Int, limit: Int)
        case send(link: Int, [BankEvent])
        case settle(Ticket, [CallbackSettlement])
        case note(Log.Level, String, link: String, reason: String)
        case report([LinkReport], @Sendable ([LinkReport]) -> Void)
    }

    /// A call under way.
    struct Call {
        let line: CallbackLine
        let began: MonotonicTime
    }

    let settings: CallbackSettings
    let metrics: CallbackMetrics
    let links: [LinkWindow]
    var lines = NumberTable<CallbackLine>()
    var calls = Slab<Call>()
    /// What became of calls, on its way to the ledger.
    var outbox = SettlementOutbox<CallbackSettlement, CallbackLine>()
    /// When what the ledger could not write is tried again.
    private var writeAgainAt: MonotonicTime?
    var retries: RetryClock
    private var isDraining = false
    /// Whether a drain waits no longer for answers: what is unanswered is told again after the restart.
    private var hasAbandoned = false
    private var actions: [Action] = []

    init(settings: CallbackSettings, links: [String], paused: Set<String> = [], metrics: CallbackMetrics) {
        self.settings = settings
        self.metrics = metrics
        self.links = links.enumerated().map {
            LinkWindow($1, index: $0, capacity: settings.window, isPaused: paused.contains($1))
        }
        retries = RetryClock(settings.retry)
    }

    /// Whether a drain has come to its end.
    var isDrained: Bool { isDraining && (calls.isEmpty || hasAbandoned) && outbox.isEmpty }

    /// Lines in memory.
    var count: Int { lines.count }

    /// Takes events, then does whatever the time and the room allow; returns what is to be done.
    func handle(_ events: [Event], at now: ClockReading) -> [Action] {
        for event in events { take(event, at: now) }
        endSilence(at: now)
        for link in links where !isDraining {
            giveUp(link, at: now)
            call(link, at: now)
            if let limit = link.wantedPage(at: now.monotonic) {
                actions.append(.load(link: link.index, limit: limit))
            }
        }
        for link in links { tellDeadLetters(of: link, at: now) }
        flush(at: now)
        defer { actions = [] }
        return actions
    }

    /// When there is something to do even if nothing happens; `nil` for never.
    func nextWakeUp(after now: ClockReading) -> MonotonicTime? {
        var next = writeAgainAt ?? .distantFuture
        if !calls.isEmpty { next = min(next, now.monotonic.adding(milliseconds: settings.longestCall / 10)) }
        for link in links where !isDraining {
            if let time = link.deadLetters.heldUntil { next = min(next, time) }
            if link.hasRoom, !link.cursor.isLoading {
                if link.cursor.isSpilled { next = now.monotonic }
                if let due = link.cursor.nextRead { next = min(next, due) }
            }
            if link.isHeldUp, let probe = link.farEnd.health.nextProbe { next = min(next, probe) }
        }
        return next == .distantFuture ? nil : max(next, now.monotonic)
    }

    private func take(_ event: Event, at now: ClockReading) {
        switch event {
        case .wake: for link in links { link.cursor.spill() }
        case .page(let link, let result): load(links[link], result, at: now)
        case .reports(let reports):
            for report in reports { take(Ticket(rawValue: report.ticket), report.outcome, at: now) }
        case .settled(let ticket, let result): settled(ticket, result, at: now)
        case .pause(let label, let isPaused):
            for link in links where link.label == label { link.farEnd.pause(isPaused, at: now.monotonic) }
        case .inspect(let reply): actions.append(.report(links.map(\.report), reply))
        case .drain: isDraining = true
        case .abandon: hasAbandoned = true
        }
    }

    /// Takes a page that the ledger read.
    private func load(_ link: LinkWindow, _ result: Result<CallbackPage, LedgerError>, at now: ClockReading) {
        let evicted = link.cursor.end()
        switch result {
        case .failure(let error):
            note(.error, "cannot read what a bank is to hear", link, "\(error)")
            link.cursor.noteDue(now.monotonic.adding(milliseconds: settings.ledgerPause))
        case .success(let page):
            if let due = page.nextDue { link.cursor.noteDue(now.monotonic(at: due)) }
            if page.hasMore { link.cursor.spill() }
            for call in page.calls where lines[call.line] == nil {
                if evicted.contains(call.line) {
                    link.cursor.spill()
                    continue
                }
                let line = CallbackLine(call, of: link)
                lines.insert(line)
                link.enter(line)
            }
        }
    }

    /// Begins as many calls as may be under way at once.
    private func call(_ link: LinkWindow, at now: ClockReading) {
        var events: [BankEvent] = []
        while let line = link.popReady(most: settings.calls, at: now.monotonic) {
            line.phase = .calling
            link.underWay += 1
            let ticket = calls.insert(Call(line: line, began: now.monotonic))
            events.append(
                BankEvent(
                    ticket: ticket.rawValue,
                    kind: line.call.kind,
                    notification: line.call.notification,
                    users: line.call.users,
                    at: line.call.at
                )
            )
        }
        if !events.isEmpty { actions.append(.send(link: link.index, events)) }
    }

    private func flush(at now: ClockReading) {
        if let time = writeAgainAt, time <= now.monotonic {
            outbox.retry()
            writeAgainAt = nil
        }
        if let (ticket, settlements) = outbox.flush() { actions.append(.settle(ticket, settlements)) }
    }

    /// Notes that settlements are on disk, or were another node's to write; what could not be written is tried again.
    private func settled(_ ticket: Ticket, _ result: Result<[Bool], LedgerError>, at now: ClockReading) {
        guard let batch = outbox.take(ticket) else { return }
        switch result {
        case .failure(let error):
            note(.error, "cannot write what became of callbacks", nil, "\(error)")
            outbox.keep(batch)
            writeAgainAt = now.monotonic.adding(milliseconds: settings.ledgerPause)
        case .success(let held):
            for (place, line) in batch.subjects.enumerated() {
                if lines.remove(line) { line.link.evict(line) }
                if held[place] {
                    written(batch.settlements[place].end, line.link, at: now)
                } else {
                    // Its new owner tells the bank; the next page says when to ask again.
                    line.link.cursor.spill()
                }
            }
        }
    }

    private func written(_ end: CallbackSettlement.End, _ link: LinkWindow, at now: ClockReading) {
        switch end {
        case .later(let due, _): return link.cursor.noteDue(now.monotonic(at: due))
        case .told: metrics.count(.told, link: link.index)
        case .dead: metrics.count(.dead, link: link.index)
        }
        link.cursor.spill()
    }

    func note(_ level: Log.Level, _ message: String, _ link: LinkWindow?, _ reason: String) {
        actions.append(.note(level, message, link: link?.label ?? "", reason: reason))
    }
}
