// SPDX-License-Identifier: Apache-2.0

import Bus

/// Decides what a pipeline's banks are told when: a window for each link, retries, pauses, and ends.
///
/// A state machine without I/O, threads or clocks, as ``Dispatch`` is: events go in with the time, actions come out and
/// are carried out by the ``CallbackDispatcher``. The ledger holds the truth; memory holds at most a window of it, so a
/// bank that is slow or gone costs nothing but its own delay.
struct CallbackDispatch: Sendable {
    /// What happened.
    enum Event: Sendable {
        /// There may be something new to tell.
        case wake
        /// The ledger read what is due to a link.
        case page(link: Int, Result<CallbackPage, LedgerError>)
        /// Links told what became of calls.
        case reports([DeliveryReport])
        /// The ledger wrote settlements, each where it was this node's to write, or could not.
        case settled([CallbackSettlement], Result<[Bool], LedgerError>)
        /// An operator stopped a link or let it go on.
        case pause(link: String, Bool)
        /// Somebody wants to know how the links are.
        case inspect(@Sendable ([LinkReport]) -> Void)
        /// Nothing new is to be begun.
        case drain
        /// A drain waits no longer for answers.
        case leave
    }

    /// What is to be done.
    enum Action: Sendable {
        case load(link: Int, limit: Int)
        case send(link: Int, [BankEvent])
        case settle([CallbackSettlement])
        case note(Log.Level, String, link: String, reason: String)
        case report([LinkReport], @Sendable ([LinkReport]) -> Void)
    }

    /// What is known of one link.
    struct Link {
        let label: String
        var health = ChannelHealth()
        /// Whether an operator stopped it.
        var isPaused = false
        /// What operators were told of its failures.
        var failures = LineLimit()
        /// What they were told of its dead letters.
        var deaths = LineLimit()
        /// Lines whose call may be made.
        var ready = Deque<Int64>()
        /// Lines in memory.
        var count = 0
        /// Calls under way.
        var flights = 0
        /// Whether the ledger may hold some that are due and not in memory; so it is at the start.
        var isSpilled = true
        var isLoading = false
        /// Lines that left memory while a page was read: the page may still show them as they were.
        var departed: Set<Int64> = []
        /// When the next line that is not in memory is due.
        var nextDue: DueTime?
        /// What was wrong the last time.
        var problem = "it was never reached"
    }

    /// A line's next call, in memory until its end is written.
    struct Entry {
        enum Phase {
            case ready, flying, leaving
        }

        let link: Int
        let call: QueuedCallback
        var phase = Phase.ready
    }

    let settings: CallbackSettings
    let metrics: CallbackMetrics
    var links: [Link]
    var entries: [Int64: Entry] = [:]
    var flights: [UInt64: (line: Int64, began: MonotonicTime)] = [:]
    var lastTicket: UInt64 = 0
    /// Settlements on their way to the ledger.
    var writes = 0
    /// Settlements that the ledger could not write, and when they are tried again.
    var unwritten: [CallbackSettlement] = []
    var writeAgainAt: MonotonicTime?
    var isDraining = false
    /// Whether a drain waits no longer for answers: what is unanswered is told again after the restart.
    var hasLeft = false
    var generator = SystemRandomNumberGenerator()
    var actions: [Action] = []
    var settlements: [CallbackSettlement] = []

    init(settings: CallbackSettings, links: [String], paused: Set<String> = [], metrics: CallbackMetrics) {
        self.settings = settings
        self.metrics = metrics
        self.links = links.map { Link(label: $0, isPaused: paused.contains($0)) }
    }

    /// Whether a drain has come to its end.
    var isDrained: Bool { isDraining && (flights.isEmpty || hasLeft) && writes == 0 && unwritten.isEmpty }

    /// Takes events, then does whatever the time and the room allow; returns what is to be done.
    mutating func handle(_ events: [Event], at now: ClockReading) -> [Action] {
        for event in events { take(event, at: now) }
        endSilence(at: now)
        for link in links.indices where !isDraining {
            giveUp(link, at: now)
            pump(link, at: now)
            refill(link, at: now)
        }
        for link in links.indices { tellDeaths(link, at: now) }
        flush(at: now)
        defer { actions = [] }
        return actions
    }

    /// When there is something to do even if nothing happens; `nil` for never.
    func nextWakeUp(after now: ClockReading) -> MonotonicTime? {
        var next = writeAgainAt ?? .distantFuture
        if !flights.isEmpty { next = min(next, now.monotonic.adding(milliseconds: settings.longestFlight / 10)) }
        if !isDraining {
            for link in links {
                if let time = link.deaths.heldUntil { next = min(next, time) }
                if link.isSpilled, !link.isLoading, hasRoom(link) { next = now.monotonic }
                if let due = link.nextDue, !link.isLoading, hasRoom(link) { next = min(next, now.monotonic(at: due)) }
                if !link.isPaused, !link.ready.isEmpty, let probe = link.health.nextProbe { next = min(next, probe) }
            }
        }
        return next == .distantFuture ? nil : max(next, now.monotonic)
    }

    private mutating func take(_ event: Event, at now: ClockReading) {
        switch event {
        case .wake: for link in links.indices { links[link].isSpilled = true }
        case .page(let link, let result): load(link, result, at: now)
        case .reports(let reports): for report in reports { take(report, at: now) }
        case .settled(let settlements, let result): settled(settlements, result, at: now)
        case .pause(let label, let isPaused): pause(label, isPaused, at: now)
        case .inspect(let reply): actions.append(.report(reports, reply))
        case .drain: isDraining = true
        case .leave: hasLeft = true
        }
    }

    func hasRoom(_ link: Link) -> Bool { link.count <= settings.window / 2 }

    private mutating func flush(at now: ClockReading) {
        if let time = writeAgainAt, time <= now.monotonic {
            settlements += unwritten
            unwritten = []
            writeAgainAt = nil
        }
        guard !settlements.isEmpty else { return }
        writes += settlements.count
        actions.append(.settle(settlements))
        settlements = []
    }
}
