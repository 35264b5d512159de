// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting

@testable import Engine

/// A dispatch machine with one channel for iPhones, driven by hand: the test is the ledger, the channel and the clock.
struct DispatchFixture {
    let machine: Dispatch
    var now = ClockReading.after(1_000_000)
    private(set) var settled: [Settlement] = []
    private(set) var ended: [SubscriptionEnd] = []
    private(set) var notes: [String] = []
    private(set) var held: [InvalidToken] = []
    private(set) var quarantined: [InvalidToken] = []
    /// What was decided about tokens as a whole.
    private(set) var decisions: [InvalidTokenStep] = []
    /// What a guard last wrote.
    private(set) var record = InvalidTokenRecord()
    private(set) var cleared: [Int64] = []
    private(set) var loads: [(lane: Queue.Lane, limit: Int)] = []
    private(set) var parkedLoads: [(queue: Int, limit: Int)] = []
    private(set) var sweeps = 0
    /// Attempts that the channels were given and that have no outcome yet.
    var attempts: [Delivery] = []
    /// What was to be written before a gateway was asked.
    private(set) var intents: [Settlement] = []
    /// What was accepted, by delivery.
    private(set) var accepted:
        [Int64: (notification: OutgoingNotification, recipient: RecipientID, fallback: DueTime?)] =
            [:]
    /// The devices of each user.
    var devices: [RecipientID: [Subscription]] = [:]
    /// What the ledger has not answered yet.
    private var unwritten: [Ticket] = []
    private var unwrittenIntents: [Ticket] = []
    /// Whether settlements are written as soon as they are made.
    var writesAtOnce = true
    /// Whether what is settled is this node's to write.
    var isOwner = true
    /// What the ledger says to intents; `nil`: nothing yet.
    var grantsIntents: Bool? = true

    init(
        settings: DispatchSettings = Self.trusting,
        channels: [ChannelSetup] = [ChannelSetup(label: "apns", reach: .devices([.ios]), condition: nil)]
    ) {
        machine = Dispatch(
            identity: LedgerIdentity(high: 1, low: 2),
            settings: settings,
            channels: channels,
            topics: [:],
            metrics: DeliveryMetrics(pipeline: "test", channels: channels.map(\.id.label)),
            isObserved: false
        )
        tell([])
        loads = []
        for lane in Queue.Lane.allCases { tell([.page(lane, .success(DuePage(deliveries: [], nextDue: nil)))]) }
        answerParked([:])
        tell([.overdue(.success([]))])
        sweeps = 0
    }

    /// Settings under which a channel gets all there is from the first moment.
    static var trusting: DispatchSettings {
        var settings = DispatchSettings()
        settings.urgentTrial = .max
        settings.bulkTrial = .max
        settings.bulkFlights = 10_000...10_000
        return settings
    }

    /// Tells the machine what happened, and does what it wants done except what the test does itself.
    mutating func tell(_ events: [Dispatch.Event]) {
        var further: [Dispatch.Event] = []
        for action in machine.handle(events, at: now) {
            switch action {
            case .lookUp(_, let ticket, let users):
                further.append(.lookedUp(ticket, .success(users.map { devices[$0] ?? [] })))
            case .send(_, let planned): attempts += planned
            case .settle(let ticket, let settlements):
                settled += settlements
                unwritten.append(ticket)
                guard writesAtOnce else { break }
                unwritten.removeLast()
                further.append(.settled(ticket, .success(settlements.map { _ in isOwner })))
            case .intend(let ticket, let settlements):
                intents += settlements
                unwrittenIntents.append(ticket)
                guard let isGranted = grantsIntents else { break }
                unwrittenIntents.removeLast()
                further.append(.intended(ticket, .success(settlements.map { _ in isGranted })))
            case .tokens(let step, _, let record):
                self.record = record
                note(step)
            case .clearVerdicts(let subscriptions): cleared += subscriptions
            case .load(let lane, let limit): loads.append((lane, limit))
            case .sweep: sweeps += 1
            case .loadParked(let queue, _, _, let limit): parkedLoads.append((queue, limit))
            case .note(_, let message, _, _): notes.append(message)
            case .observe, .report: break
            }
        }
        if !further.isEmpty { tell(further) }
    }

    private mutating func note(_ step: InvalidTokenStep) {
        switch step {
        case .remove(let tokens): ended += tokens.map(\.end)
        case .hold(let tokens): held += tokens
        case .quarantine(let tokens): quarantined += tokens
        case .removeHeld, .doubt, .trust, .release, .confirm: decisions.append(step)
        }
    }

    /// Says what became of the oldest settlements that the ledger has.
    mutating func answerSettlements(_ result: Result<[Bool], LedgerError>) {
        tell([.settled(unwritten.removeFirst(), result)])
    }

    /// Says what became of the oldest intents that the ledger has.
    mutating func answerIntents(_ result: Result<[Bool], LedgerError>) {
        tell([.intended(unwrittenIntents.removeFirst(), result)])
    }

    /// Answers what was asked of parked queues, and begins anew to note it.
    mutating func answerParked(_ pages: [Int: DuePage]) {
        let asked = parkedLoads
        parkedLoads = []
        for (queue, _) in asked {
            tell([.parkedPage(queue, .success(pages[queue] ?? DuePage(deliveries: [], nextDue: nil)))])
        }
    }

    /// A delivery as the ledger would show it.
    func row(_ number: Int64, to user: RecipientID, _ notification: Notification) -> QueuedDelivery {
        QueuedDelivery(
            sequence: number,
            notification: OutgoingNotification(notification: notification, sequence: number, acceptedAt: now.wall),
            recipient: user,
            status: .queued,
            attempts: 0,
            due: now.due,
            finishedDevices: []
        )
    }

    /// Accepts a notification for users who have an iPhone each, unless said otherwise.
    mutating func accept(_ notification: Notification, first: Int64 = 1, fallback: DueTime? = nil) {
        for recipient in notification.recipients where devices[recipient.id] == nil {
            devices[recipient.id] = [Self.device(of: recipient.id, number: Int64(devices.count) + 100)]
        }
        let outgoing = OutgoingNotification(notification: notification, sequence: first, acceptedAt: now.wall)
        let deliveries = notification.recipients.enumerated().map {
            (sequence: first + Int64($0.offset), recipient: $0.element.id)
        }
        for (sequence, recipient) in deliveries { accepted[sequence] = (outgoing, recipient, fallback) }
        tell([.accepted(outgoing, deliveries, fallback: fallback)])
    }

    /// Answers the oldest attempts that wait.
    mutating func answer(_ outcomes: Outcome...) {
        let reports = outcomes.map { DeliveryReport(ticket: attempts.removeFirst().ticket, outcome: $0) }
        tell([.reports(reports)])
    }

    /// Takes attempts out of those that wait, for the test to answer.
    mutating func takeAttempts(
        _ isTaken: (Delivery) -> Bool = { _ in true }
    )
        -> [Delivery]
    {
        let taken = attempts.filter(isTaken)
        attempts.removeAll(where: isTaken)
        return taken
    }

    /// Lets time pass.
    mutating func wait(_ milliseconds: Int64) {
        now += milliseconds
        tell([])
    }

    static func device(
        of user: RecipientID,
        number: Int64,
        platform: Platform = .ios,
        token: String = "ab",
        tokenAt: WallTime = .epoch,
        phone: String? = nil
    ) -> Subscription {
        Subscription(
            sequence: number,
            subscriber: "s\(number)",
            user: user,
            app: "retail",
            deviceID: "d\(number)",
            platform: platform,
            token: token,
            tokenAt: tokenAt,
            secretHash: [],
            phone: phone,
            lastSuccess: nil
        )
    }

    static func notification(
        _ id: NotificationID = "n1",
        to users: [RecipientID] = ["anna"],
        timeout: Int = 600,
        type: NotificationType = .universal,
        priority: Int = 5,
        isPerishable: Bool = false
    ) -> Notification {
        Notification(
            id: id,
            recipients: users.map { Recipient($0) },
            timeout: timeout,
            content: PushContent(badge: 0, text: "text", type: type, target: type.requiresTarget ? "1" : nil),
            isPerishable: isPerishable,
            priority: priority
        )
    }
}

extension Delivery {
    /// The device it goes to; `nil` for a text message.
    var device: Device? { if case .device(let device) = address { device } else { nil } }
}
