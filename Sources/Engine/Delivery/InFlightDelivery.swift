// SPDX-License-Identifier: Apache-2.0

import Bus
import Collections

/// A delivery in memory, from the moment it is taken into its lane's window until its end is written.
///
/// The dispatch thread's own.
final class InFlightDelivery: TimerHeapElement, Numbered {
    /// What it waits for.
    enum Phase {
        /// Its turn.
        case ready
        /// Its recipient's devices.
        case resolving
        /// A provider's answers.
        case attempting
        /// Its next attempt.
        case scheduled
        /// A channel that cannot be used now.
        case blocked
        /// The gateway that its text message is about to be handed to, or was.
        case sendingSMS
        /// Nothing: it is kept until what became of it is written.
        case evicting
    }

    /// The ledger's number of it.
    let sequence: Int64
    let notification: OutgoingNotification
    let recipient: RecipientID
    let lane: Queue.Lane
    var status: DeliveryStatus
    /// Attempts made.
    var attempts: Int
    var phase = Phase.ready
    /// When its last round began.
    var startedAt = MonotonicTime.distantPast
    /// What the answers of this round come to.
    var round = Round()
    /// The text message that may take the place of its pushes.
    var fallback: Fallback?
    /// What it remembers of its devices.
    var devices: KnownDevices
    /// Attempts under way.
    var underWay = 0
    /// Settlements on their way to the ledger.
    var writes = 0
    /// The channel that gave it a permit while it waited.
    var permit: ChannelGate?
    /// The parked queue that the ledger has it in.
    var parked: ParkedQueue?
    /// What else is known.
    var marks = Marks()
    /// The timer heap's own.
    var timerPosition = -1

    /// What is known of a delivery beside its phase.
    struct Marks: OptionSet {
        let rawValue: UInt16
        /// It leaves memory to be parked.
        static let parking = Marks(rawValue: 1 << 0)
        /// Its text message waits for what was written before, so that nothing older overtakes its intent.
        static let smsHeld = Marks(rawValue: 1 << 1)
        /// Its devices are read again before it ends: an app may have told a new token meanwhile.
        static let rechecked = Marks(rawValue: 1 << 2)
        /// A push that was taken is counted, which is not its end.
        static let pushCounted = Marks(rawValue: 1 << 3)
        /// The ledger knows that there are no more pushes.
        static let dueWritten = Marks(rawValue: 1 << 4)
        /// It is closed in the ledger, or about to be.
        static let over = Marks(rawValue: 1 << 5)
        /// The ledger cannot read what it was to say.
        static let damaged = Marks(rawValue: 1 << 6)
        /// It is among those whose round is to be concluded in this turn.
        static let answered = Marks(rawValue: 1 << 7)
    }

    /// Takes up what the ledger holds.
    init(_ delivery: QueuedDelivery, lane: Queue.Lane, at now: ClockReading) {
        sequence = delivery.sequence
        notification = delivery.notification
        recipient = delivery.recipient
        self.lane = lane
        status = delivery.status
        attempts = delivery.attempts
        devices = KnownDevices(settled: delivery.finishedDevices)
        if delivery.status == .sent { marks.insert(.pushCounted) }
        if delivery.isDamaged { marks.insert(.damaged) }
        if delivery.fallback != nil || delivery.sms != nil {
            fallback = Fallback(
                time: delivery.fallback.map(now.monotonic) ?? .distantFuture,
                sms: delivery.sms,
                phone: delivery.phone
            )
        }
    }

    /// Takes up what was just accepted.
    init(
        _ sequence: Int64,
        _ notification: OutgoingNotification,
        _ recipient: RecipientID,
        lane: Queue.Lane,
        fallback: MonotonicTime?
    ) {
        self.sequence = sequence
        self.notification = notification
        self.recipient = recipient
        self.lane = lane
        status = .queued
        attempts = 0
        devices = KnownDevices(settled: [])
        self.fallback = fallback.map { Fallback(time: $0, sms: nil) }
    }

    var number: Int64 { sequence }

    var isOver: Bool { marks.contains(.over) }

    /// Whether a gateway was asked for it before the bus started, and nobody can say what came of it.
    var isLost: Bool { fallback?.stage == .lost }

    /// Whether its time has passed.
    func isExpired(at now: WallTime) -> Bool {
        guard notification.notification.timeout == 0 else { return now >= notification.expiresAt }
        return attempts > 0 && fallback == nil
            || now >= notification.acceptedAt.adding(milliseconds: NotificationTime.nowLasts)
    }

    /// Whether a further attempt is allowed.
    var mayRetry: Bool { !notification.notification.isPerishable && notification.notification.timeout > 0 }

    /// Whether it stands in the line of a channel.
    func isBlocked(by gate: ChannelGate) -> Bool { phase == .blocked && round.blockedBy === gate }
}

/// What a delivery remembers of its recipient's devices.
struct KnownDevices {
    /// Devices that are settled: they took it, or never will.
    var settled: [Int64]
    /// The tokens that devices had when they were called dead: a newer one is worth an attempt.
    var deadTokens: [Int64: String] = [:]
    /// Tokens that died: their subscriptions end once the ledger has what depends on them.
    var removals: [PendingRemoval] = []
    /// Whether a device died that may have told the number.
    var keepsPhone = false

    init(settled: [Int64]) { self.settled = settled }

    /// Whether a device is settled: it took it, never will, or its token is dead.
    func isSettled(_ device: Subscription) -> Bool {
        settled.contains(device.sequence) || deadTokens[device.sequence] == device.token
    }

    /// Whether any device is.
    var hasSettled: Bool { !settled.isEmpty || !deadTokens.isEmpty }

    /// All of them as the ledger keeps them.
    var written: [Int64] { deadTokens.isEmpty ? settled : settled + deadTokens.keys.sorted() }
}

/// The removal of a dead token's subscription that waits for what depends on it.
struct PendingRemoval {
    let gate: ChannelGate
    let token: InvalidToken
}
