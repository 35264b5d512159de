// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// All that the writer prepared, and what it remembers of the tables so as not to ask them.
///
/// An object: as a value it was copied with all its parts at each call, which was a sixth of the writer's time.
final class WriterStatements {
    private let connection: Connection
    private var notifications: NotificationWrites
    let chunks: ChunkWrites
    let settlements: SettlementWrites
    let subscriptions: SubscriptionWrites
    private let search: SubscriptionSearch
    let verifications: VerificationWrites
    private let pipelines: PipelineWrites
    let callbacks: CallbackWrites
    let callbackEnds: CallbackSettling
    let aftermath: AftermathWrites
    let receipts: ReceiptWrites
    let texts: SMSWrites
    let upkeep: UpkeepWrites
    let quarantine: QuarantineWrites
    let removed: RemovedSubscriptions
    let retention: RetentionWrites
    let waitCap: WaitCap
    let pauses: PauseWrites
    let once: OnceWrites
    let tallies: TallyWrites
    let origins: DeadLetterOrigins
    /// What those who watch are to hear of the open transaction.
    let events = TransactionEvents()
    private let sweeps: SweepPositions
    private var storedSweeps: [PipelineNumber: WallTime]
    /// The earliest expiry among the notifications of the open transaction.
    private var earliest = WallTime.distantFuture

    init(
        _ connection: Connection,
        sweeps: SweepPositions,
        schedule: ScheduleClock
    ) throws(SQLiteError) {
        self.connection = connection
        callbacks = try CallbackWrites(connection, schedule: schedule)
        callbackEnds = try CallbackSettling(connection, callbacks: callbacks)
        aftermath = try AftermathWrites(connection, callbacks: callbacks)
        let changes = try DeliveryChanges(connection, callbacks: callbacks, aftermath: aftermath)
        let lastSeen = try LastSeenWrites(connection)
        receipts = try ReceiptWrites(connection, changes: changes, lastSeen: lastSeen)
        texts = try SMSWrites(connection, changes: changes)
        upkeep = try UpkeepWrites(connection)
        notifications = try NotificationWrites(connection, callbacks: callbacks)
        chunks = try ChunkWrites(connection)
        settlements = try SettlementWrites(connection, changes: changes, lastSeen: lastSeen)
        removed = try RemovedSubscriptions(connection)
        subscriptions = try SubscriptionWrites(connection, removed: removed)
        search = try SubscriptionSearch(connection)
        verifications = try VerificationWrites(connection)
        pipelines = try PipelineWrites(connection)
        quarantine = try QuarantineWrites(connection, removed: removed)
        retention = try RetentionWrites(connection)
        waitCap = try WaitCap(connection)
        pauses = try PauseWrites(connection)
        once = try OnceWrites(connection)
        tallies = try TallyWrites(connection)
        origins = try DeadLetterOrigins(connection)
        storedSweeps = try pipelines.sweptUntil()
        self.sweeps = sweeps
    }

    /// What has to be put back when a transaction fails.
    struct Mark {
        fileprivate let notification: Int64
        fileprivate let delivery: Int64
        fileprivate let storedSweeps: [PipelineNumber: WallTime]
    }

    /// To be called before a transaction.
    func mark() -> Mark {
        earliest = .distantFuture
        return Mark(
            notification: notifications.nextNotification,
            delivery: notifications.nextDelivery,
            storedSweeps: storedSweeps
        )
    }

    func rewind(to mark: Mark) {
        notifications.rewind(notification: mark.notification, delivery: mark.delivery)
        storedSweeps = mark.storedSweeps
        callbacks.rewind()
        chunks.rewind()
        events.clear()
    }

    /// Notes what became of an acceptance for those who watch.
    func note(_ acceptance: Acceptance, _ result: AcceptanceResult) {
        guard case .accepted(let sequence, let first, let closed) = result else { return }
        guard !acceptance.isLarge else {
            let open = acceptance.deliveries.count - closed.count
            return events.add(.waiting(acceptance.queue.lane, open), in: acceptance.pipeline)
        }
        events.add(
            AcceptedNotification(acceptance: acceptance, sequence: sequence, firstDelivery: first, closed: closed)
        )
    }

    /// What those who watch are to hear, by pipeline, once the transaction is committed.
    func takeEvents() -> [(pipeline: PipelineNumber, events: [LedgerEvent])] {
        for pipeline in callbacks.takeWoken() { events.add(.callbacks, in: pipeline) }
        return events.take()
    }

    func perform(_ job: WriteJob) throws(SQLiteError) -> WriteResult {
        switch job.work {
        case .accept(let job): .accepted(try job.acceptance.isLarge ? acceptLarge(job) : accept(job))
        case .subscribe(let new, _): .subscribed(try subscriptions.subscribe(new))
        case .refresh(let refresh, _): .refreshed(try subscriptions.refresh(refresh))
        case .end(let wishes, _): .ended(try subscriptions.end(wishes))
        case .endAll(let user, let pipeline, _): .ended(try subscriptions.endAll(of: user, in: pipeline))
        case .pipeline(let name, _): .pipeline(try pipeline(named: name))
        case .errand(let errand): .errand(try errand.write(self))
        case .swept(let pipeline, let until): try sweep(pipeline, until: until)
        case .settle, .pause: .nothing
        }
    }

    /// Changes a row into what it is.
    func touch() throws(SQLiteError) { try connection.execute("UPDATE meta SET value = value WHERE key = 'identity'") }

    /// Settles from an index on until all is done or the time is up; returns how far it got.
    func settle(_ list: [Settlement], from: Int, until deadline: MonotonicTime) throws(SQLiteError) -> Int {
        for index in from..<list.count {
            try settlements.settle(list[index])
            if index & 63 == 63, .now() > deadline { return index + 1 }
        }
        return list.count
    }

    private func accept(_ job: AcceptJob) throws(SQLiteError) -> AcceptanceResult {
        let acceptance = job.acceptance
        if let reason = acceptance.dropReason { return try drop(acceptance, job.content, because: reason) }
        let closed = try search.closed(among: acceptance.deliveries, in: acceptance.pipeline)
        if acceptance.notification.requiresKnownRecipients, !closed.isEmpty { return .unknownRecipient }
        let result = try notifications.accept(acceptance, content: job.content, closed: closed)
        guard case .accepted = result else { return result }
        for made in try chunks.makeAhead(of: acceptance, closed: closed) { events.add(made) }
        try noteExpiry(acceptance.expires, in: acceptance.pipeline)
        return result
    }

    /// Keeps one whose recipients wait in chunks.
    private func acceptLarge(_ job: AcceptJob) throws(SQLiteError) -> AcceptanceResult {
        let acceptance = job.acceptance
        let isDropped = acceptance.dropReason != nil
        let packed = if let packed = job.packed { packed } else { try pack(acceptance) }
        if acceptance.notification.requiresKnownRecipients, !isDropped, !packed.closed.isEmpty {
            return .unknownRecipient
        }
        let result = try notifications.accept(acceptance, content: job.content, packed, chunks)
        guard isDropped, case .accepted(let number, let first, _) = result else { return result }
        return .accepted(notification: number, firstDelivery: first, closed: Array(acceptance.deliveries.indices))
    }

    private func pack(_ acceptance: Acceptance) throws(SQLiteError) -> PackedAcceptance {
        guard acceptance.dropReason == nil else { return PackedAcceptance(acceptance, closed: []) }
        let closed = try search.closed(among: acceptance.deliveries, in: acceptance.pipeline)
        return PackedAcceptance(acceptance, closed: closed)
    }

    /// Makes the next deliveries of what waits in chunks.
    func expand(_ queue: Queue, room: Int, now: WallTime) throws(SQLiteError) -> ChunkWrites.Step {
        let step = try chunks.expand(queue, room: room, now: now, settlements)
        if let expires = step.expires { try noteExpiry(expires, in: queue.pipeline) }
        if let accepted = step.accepted { events.add(accepted) }
        // What is damaged is found where what another node left is looked for: in the rows.
        if step.isDamaged { events.add(.reclaimed, in: queue.pipeline) }
        return step
    }

    /// Has a sweep that is beyond it come back for what expires at a moment.
    private func noteExpiry(_ expires: WallTime, in pipeline: PipelineNumber) throws(SQLiteError) {
        earliest = min(earliest, expires)
        if let stored = storedSweeps[pipeline], expires < stored { try remember(pipeline, sweptUntil: expires) }
    }

    /// Keeps a notification whose deliveries all end in the same transaction: a crash between would send it.
    private func drop(
        _ acceptance: Acceptance,
        _ content: [UInt8],
        because reason: String
    ) throws(SQLiteError) -> AcceptanceResult {
        let result = try notifications.accept(acceptance, content: content, closed: [])
        guard case .accepted(let number, let first, _) = result else { return result }
        for place in acceptance.deliveries.indices {
            let settlement = Settlement(
                delivery: first + Int64(place),
                status: .sendingFailed,
                at: acceptance.at,
                attempts: 0,
                outcomes: [DeviceOutcome(subscription: nil, channel: nil, problem: reason)]
            )
            try settlements.settle(settlement)
        }
        return .accepted(notification: number, firstDelivery: first, closed: Array(acceptance.deliveries.indices))
    }

    private func pipeline(named name: String) throws(SQLiteError) -> PipelineNumber {
        let number = try pipelines.number(of: name)
        if storedSweeps[number] == nil { storedSweeps[number] = .epoch }
        sweeps.add(number)
        return number
    }

    // What arrived since the sweep, and what this transaction holds, was not seen by it.
    private func sweep(_ pipeline: PipelineNumber, until: WallTime) throws(SQLiteError) -> WriteResult {
        let until = min(until, earliest, sweeps.closedUntil(pipeline))
        if until != storedSweeps[pipeline] { try remember(pipeline, sweptUntil: until) }
        return .nothing
    }

    private func remember(_ pipeline: PipelineNumber, sweptUntil: WallTime) throws(SQLiteError) {
        try pipelines.remember(pipeline, sweptUntil: sweptUntil)
        storedSweeps[pipeline] = sweptUntil
    }
}
