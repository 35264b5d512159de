// SPDX-License-Identifier: Apache-2.0

import Bus

/// A delivery in memory, from the moment it is taken into its lane's window until its end is written.
struct Entry {
    /// What it waits for.
    enum Phase {
        /// Its turn.
        case ready
        /// Its recipient's devices.
        case resolving
        /// A provider's answers.
        case flying
        /// Its next attempt.
        case waiting
        /// A channel that cannot be used now.
        case blocked
        /// The gateway that its text message is about to be handed to, or was.
        case texting
        /// Nothing: it is kept until what became of it is written.
        case leaving
    }

    let notification: OutgoingNotification
    let recipient: RecipientID
    let lane: Queue.Lane
    var status: DeliveryStatus
    var attempts: Int
    var phase = Phase.ready
    /// When it last had its turn.
    var turn = MonotonicTime.distantPast
    /// Devices that are settled: they took it, or never will.
    var finishedDevices: [Int64]
    /// Attempts under way.
    var flights = 0
    /// Settlements on their way to the ledger.
    var writes = 0
    /// The channel that gave it leave while it waited.
    var leave: Int?
    /// The parked queue that the ledger has it in.
    var parked: Int?
    /// Whether it leaves memory to be parked.
    var isParking = false
    /// The text message that may take the place of its pushes.
    var fallback: Fallback?
    /// Whether a text message waits for what was written before, so that nothing older overtakes its intent.
    var holdsText = false
    /// Tokens that died: their subscriptions end once the ledger has what depends on them.
    var removals: [Dispatch.Removal] = []
    /// The tokens that devices had when they were called dead: a newer one is worth an attempt.
    var deadTokens: [Int64: String] = [:]
    /// Whether its devices are read again before it ends: an app may have told a new token meanwhile.
    var isRechecked = false
    /// Whether a device died that may have told the number.
    var keepsPhone = false
    /// Whether a push that was taken is counted, which is not its end.
    var isPushCounted = false
    /// Whether the ledger knows that there are no more pushes.
    var isDueWritten = false
    /// Whether it is closed in the ledger, or about to be.
    var isOver = false
    /// Whether the ledger cannot read what it was to say.
    var isDamaged = false
    /// What the answers of this round come to.
    var round = Round()

    /// One attempt on all of a recipient's devices.
    struct Round {
        /// When the earliest device wants to be tried again.
        var retryAt: MonotonicTime?
        /// A channel that some device has to wait for.
        var blockedBy: Int?
        /// The channel that took it first, and the device.
        var acceptedBy: Int?
        var acceptedOn: Int64?
        /// The channel that its end is counted at where none took it: its far end refused it, or called a device dead.
        var endedBy: Int?
        /// Whether a push was written and not answered.
        var isAmbiguous = false
        /// How far its text message is now.
        var text: TextState?
        /// What the timeline should tell of its text message.
        var notes: [TimelineNote] = []
        /// The subscription to note a success for.
        var successOf: Int64?
        /// Devices settled in this round.
        var finished: [Int64] = []
        /// Whether a provider refused it for good.
        var isRejected = false
        /// Whether a token was called dead.
        var hasDied = false
        /// What went wrong last.
        var problem: String?
        /// What the timeline tells of each device beyond the first success.
        var outcomes: [DeviceOutcome] = []
    }

    init(_ delivery: QueuedDelivery, lane: Queue.Lane, at now: ClockReading) {
        notification = delivery.notification
        recipient = delivery.recipient
        self.lane = lane
        status = delivery.status
        attempts = delivery.attempts
        finishedDevices = delivery.finishedDevices
        isPushCounted = delivery.status == .sent
        isDamaged = delivery.isDamaged
        if delivery.fallback != nil || delivery.text != nil {
            fallback = Fallback(
                time: delivery.fallback.map(now.monotonic) ?? .distantFuture,
                text: delivery.text,
                phone: delivery.phone
            )
        }
    }

    init(
        _ notification: OutgoingNotification,
        _ recipient: RecipientID,
        lane: Queue.Lane,
        fallback: MonotonicTime? = nil
    ) {
        self.notification = notification
        self.recipient = recipient
        self.lane = lane
        status = .queued
        attempts = 0
        finishedDevices = []
        self.fallback = fallback.map { Fallback(time: $0, text: nil) }
    }

    /// Whether a device is settled: it took it, never will, or its token is dead.
    func isSettled(_ device: Subscription) -> Bool {
        finishedDevices.contains(device.sequence) || deadTokens[device.sequence] == device.token
    }

    /// Whether any device is.
    var hasSettledDevices: Bool { !finishedDevices.isEmpty || !deadTokens.isEmpty }

    /// Whether its time has passed.
    func isExpired(at now: WallTime) -> Bool {
        guard notification.notification.timeout == 0 else { return now >= notification.expiresAt }
        return attempts > 0 && fallback == nil
            || now >= notification.acceptedAt.adding(milliseconds: NotificationTime.nowLasts)
    }

    /// Whether a further attempt is allowed.
    var mayRetry: Bool { !notification.notification.isPerishable && notification.notification.timeout > 0 }
}

/// One attempt under way.
struct Flight {
    let delivery: Int64
    let channel: Int
    /// Where it goes; `nil`: to the recipient's phone, as a text message.
    let device: Device?
    /// When it began.
    let began: ClockReading
    /// When its delivery had its turn, where it is bulk.
    let turn: MonotonicTime?
    /// Whether a success is worth a note at the subscription.
    let notesSuccess: Bool
}
