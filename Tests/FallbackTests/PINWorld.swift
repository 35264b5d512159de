// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import LedgerTesting
import SQLite
import Threads

@testable import Engine

/// What the provider says to pushes, and what the phone says of them.
enum PushFate: CaseIterable, Sendable {
    case noDevice, gone, badRequest, ourFault, busy, noAnswer, silence, accepted, receiptBefore, receiptAfter
}

/// What the gateway says to a text message.
enum TextFate: CaseIterable, Sendable {
    case accepted, refused, silent
}

/// Where the bus is killed: before or after the write of that number is committed.
///
/// Write 0 is the acceptance.
struct Kill: Sendable, Equatable {
    enum Moment: CaseIterable, Sendable { case before, after }
    let write: Int
    let moment: Moment
}

/// A bus with one PIN code, from its acceptance until its time has passed: the real machine over a real ledger, with
/// channels and a clock that are the test's.
///
/// It can be killed at any write, and starts again at once.
final class PINWorld {
    static let start = ClockReading.noon
    static let after: Int64 = 8_000
    static let timeout = 20
    static var fallbackAt: MonotonicTime { start.monotonic + after }

    private struct Killed: Error {}
    private enum Future {
        case report(UInt64, Outcome)
        case receipt
    }

    let push: PushFate
    let text: TextFate
    let kill: Kill?
    var kind: LedgerKind { place.kind }
    private let place: LedgerPlace
    private(set) var ledger: any Ledger
    private(set) var bank: PipelineNumber
    private var machine: Dispatch
    private var agenda: [(at: MonotonicTime, what: Future)] = []
    private var events: [Dispatch.Event] = []
    private var now = PINWorld.start
    private var delivery: Int64 = 0

    /// Writes so far; the acceptance is number 0.
    private(set) var writes = 0
    /// When pushes and text messages went out.
    private(set) var pushes: [MonotonicTime] = []
    private(set) var texts: [MonotonicTime] = []
    private(set) var phones: [String] = []
    /// Whether the ledger says that a gateway is asked, and nothing of its answer.
    private(set) var isAsked = false
    /// Whether the bus was killed then.
    private(set) var isLost = false
    private(set) var wasKilled = false

    init(_ push: PushFate, _ text: TextFate, kill: Kill?, over kind: LedgerKind = .sqlite) throws {
        self.push = push
        self.text = text
        self.kill = kill
        place = try LedgerPlace(kind, onMemoryDisk: true)
        ledger = try place.open()
        bank = try ledger.pipeline(named: "bank")
        machine = Self.machine(parked: [])
        let link = LinkDeclaration(label: "bank", events: [.failed, .delivered, .expired, .opened])
        _ = try ledger.declare([link], in: bank)
    }

    deinit { ledger.close() }

    private static func machine(parked: [(number: Int32, lane: Queue.Lane)]) -> Dispatch {
        let channels = [
            ChannelSetup(label: "apns", reach: .devices([.ios]), condition: nil),
            ChannelSetup(label: "sms", reach: .phones, condition: nil, fallbackDelay: after),
        ]
        return Dispatch(
            identity: LedgerIdentity(high: 1, low: 2),
            settings: DispatchSettings(),
            channels: channels,
            topics: [:],
            metrics: DeliveryMetrics(pipeline: "bank", channels: channels.map(\.id.label)),
            parked: parked,
            isObserved: false
        )
    }

    /// Waits for the ledger.
    func wait<Value: Sendable>(_ call: (@escaping Completion<Value>) -> Void) throws -> Value {
        let answer = Mailbox<Result<Value, LedgerError>>(capacity: 1)
        call { answer.post($0) }
        return try (answer.take()?.first ?? .failure(.closed)).get()
    }
}

extension PINWorld {
    /// Lives through it all.
    func run() throws {
        try accept()
        if kill == Kill(write: 0, moment: .after) { try restart() }
        let end = Self.start.monotonic + Int64(Self.timeout) * 1_000 + 2_000
        var turns = 0
        while now.monotonic < end {
            turns += 1
            precondition(turns < 100_000, "the machine never rests")
            do {
                let taken = events
                events = []
                for action in machine.handle(taken, at: now) { try perform(action) }
                if events.isEmpty { try advance() }
            } catch is Killed {
                try restart()
            }
        }
    }

    private func accept() throws {
        if push != .noDevice {
            let registration = Registration(
                app: "retail",
                user: Recipient("anna"),
                deviceID: "d1",
                platform: .ios,
                token: "ab",
                phone: "+375290000001",
                tags: []
            )
            let new = NewSubscription(
                pipeline: bank,
                registration: registration,
                subscriber: "s1",
                secretHash: [1],
                at: Self.start.wall
            )
            _ = try wait { ledger.subscribe(new, completion: $0) }
        }
        let tag = PushDetails.Tag(key: "phone", value: "+375290000002")
        let notification = Notification(
            id: "n1",
            recipients: [Recipient("anna")],
            timeout: Self.timeout,
            content: PushContent(badge: 0, text: "code", type: .pinCode, target: "4711"),
            details: push == .noDevice ? PushDetails(tags: [tag]) : nil
        )
        let routes = machine.parts.gates.compactMap(\.phones)
        let acceptance = Acceptance(
            pipeline: bank,
            notification: notification,
            at: Self.start.wall,
            due: Self.start.due,
            deliveries: [NewDelivery(recipient: "anna", spellings: ["anna"], isOpen: true)],
            fallback: routes.fallbackTime(for: notification, at: Self.start)
        )
        guard
            case .accepted(let number, let first, _) = try wait({ ledger.accept(acceptance, completion: $0) })
        else {
            throw Killed()
        }
        delivery = first
        let outgoing = OutgoingNotification(notification: notification, sequence: number, acceptedAt: Self.start.wall)
        events = [.accepted(outgoing, [(first, RecipientID("anna"))], fallback: acceptance.fallback)]
        if push == .receiptBefore { agenda.append((Self.fallbackAt - 1, .receipt)) }
        if push == .receiptAfter { agenda.append((Self.fallbackAt + 1, .receipt)) }
    }

    /// The machine is gone with all it knew; providers' answers find nobody.
    private func restart() throws {
        wasKilled = true
        isLost = isLost || isAsked
        isAsked = false
        agenda.removeAll { if case .report = $0.what { true } else { false } }
        events = []
        place.crash(ledger)
        ledger = try place.open()
        bank = try ledger.pipeline(named: "bank")
        _ = try wait { ledger.reclaim(bank, limit: 100, completion: $0) }
        let depths = try wait { ledger.depth(bank, completion: $0) }
        machine = Self.machine(parked: depths.keys.filter { $0.parking != 0 }.map { ($0.parking, $0.lane) })
    }

    private func advance() throws {
        agenda.sort { $0.at < $1.at }
        let wake = machine.nextWakeUp(after: now.monotonic)
        guard let next = agenda.first, next.at <= wake else {
            now += max(1, wake.milliseconds(since: now.monotonic))
            return
        }
        now += max(0, next.at.milliseconds(since: now.monotonic))
        switch next.what {
        case .report(let ticket, let outcome):
            agenda.removeFirst()
            events.append(.reports([DeliveryReport(ticket: ticket, outcome: outcome)]))
        case .receipt:
            // An app that got no answer tells again.
            let receipt = NewReceipt(
                pipeline: bank,
                delivery: delivery,
                subscription: 1,
                event: .delivered,
                at: now.wall
            )
            let kept = try write { try wait { ledger.receive(receipt, completion: $0) } }
            agenda.removeFirst()
            try dieAfterWrite()
            if kept.result == .ended { events.append(.received(delivery)) }
        }
    }

    /// Does a write of the ledger's, and dies before or after it where that is asked for.
    private func write<Value>(_ body: () throws -> Value) throws -> Value {
        writes += 1
        if !wasKilled, kill == Kill(write: writes, moment: .before) { throw Killed() }
        return try body()
    }

    private func dieAfterWrite() throws {
        if !wasKilled, kill == Kill(write: writes, moment: .after) { throw Killed() }
    }

    private func perform(_ action: Dispatch.Action) throws {
        switch action {
        case .lookUp(let lane, let ticket, let users):
            let found = try wait { ledger.subscriptions(of: users, in: bank, for: lane, completion: $0) }
            events.append(.lookedUp(ticket, .success(found)))
        case .send(let channel, let attempts): for attempt in attempts { send(attempt, over: channel) }
        case .settle(let ticket, let settlements):
            let held = try write { try wait { ledger.settle(settlements, completion: $0) } }
            if settlements.contains(where: { $0.sms != nil }) { isAsked = false }
            try dieAfterWrite()
            events.append(.settled(ticket, .success(held)))
        case .intend(let ticket, let intents):
            let written = try write { try wait { ledger.intend(intents, completion: $0) } }
            if written == [true] { isAsked = true }
            try dieAfterWrite()
            events.append(.intended(ticket, .success(written)))
        case .tokens(let step, let channel, let record):
            _ = try write { try wait { ledger.apply(step, of: channel, in: bank, record, completion: $0) } }
            try dieAfterWrite()
        case .load(let lane, let limit):
            let page = try wait {
                ledger.due(Queue(pipeline: bank, lane: lane), now: now.due, limit: limit, completion: $0)
            }
            events.append(.page(lane, .success(page)))
        case .loadParked(let index, let lane, let number, let limit):
            let queue = Queue(pipeline: bank, lane: lane, parking: number)
            let page = try wait { ledger.due(queue, now: now.due, limit: limit, completion: $0) }
            events.append(.parkedPage(index, .success(page)))
        case .sweep(let limit):
            let found = try wait { ledger.expired(bank, now: now.wall, limit: limit, completion: $0) }
            events.append(.overdue(.success(found)))
        case .clearVerdicts, .observe, .note, .report: break
        }
    }

    private func send(_ attempt: Delivery, over channel: ChannelID) {
        if case .phone(let phone) = attempt.address {
            texts.append(now.monotonic)
            phones.append(phone)
            let answer: (Int64, Outcome) =
                switch text {
                case .accepted: (10, .accepted)
                case .refused: (10, .rejected(reason: "400 bad receiver"))
                case .silent: (6_000, .unknown(reason: "no answer"))
                }
            agenda.append((now.monotonic + answer.0, .report(attempt.ticket, answer.1)))
        } else {
            pushes.append(now.monotonic)
            guard let (wait, outcome) = pushAnswer else { return }
            agenda.append((now.monotonic + wait, .report(attempt.ticket, outcome)))
        }
    }

    private var pushAnswer: (Int64, Outcome)? {
        switch push {
        case .noDevice, .silence: nil
        case .gone: (5, .gone(Outcome.Gone(since: nil, isAmbiguous: false, reason: "410 Unregistered")))
        case .badRequest: (5, .rejected(reason: "400 PayloadEmpty"))
        case .ourFault: (5, .unavailable(reason: "403 InvalidProviderToken"))
        case .busy: (5, .retry(after: nil, scope: .provider, reason: "503 ServiceUnavailable"))
        case .noAnswer: (6_000, .unknown(reason: "no answer"))
        case .accepted, .receiptBefore, .receiptAfter: (5, .accepted)
        }
    }
}

extension PINWorld {
    func status() throws -> DeliveryStatus? {
        try wait { ledger.statuses(of: "n1", in: bank, completion: $0) }?.first?.status
    }

    func steps() throws -> [TimelineEvent] {
        try wait { ledger.timeline(of: "n1", in: bank, limit: 1_000, completion: $0) } ?? []
    }

    func deadLetters() throws -> [DeadLetter] {
        try wait { ledger.deadLetters(before: nil, limit: 10, completion: $0) }
    }

    /// What the bank is to hear.
    func callbacks() throws -> [BankEvent.Kind] {
        let link = LinkDeclaration(label: "bank", events: [.failed, .delivered, .expired, .opened])
        let number = try ledger.declare([link], in: bank)[0]
        let page = try wait { ledger.dueCallbacks(number, now: .distantFuture, limit: 10, completion: $0) }
        return page.calls.map(\.kind)
    }

    /// How many deliveries the store remembers a number with.
    func numbersKept() throws -> Int64? {
        if place.kind == .memory { return Int64(place.memory.phonesKept) }
        let connection = try Connection(path: place.path, mode: .readOnly)
        return try connection.integer("SELECT count(*) FROM delivery WHERE phone IS NOT NULL")
    }

    /// Whether something is still to be done.
    func depth() throws -> Int { try wait { ledger.depth(bank, completion: $0) }.values.reduce(0, +) }
}
