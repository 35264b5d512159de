// SPDX-License-Identifier: Apache-2.0

import Bus

/// The parts that a dispatch is made of; each owns its state, and all are the dispatch thread's own.
final class DispatchParts {
    let settings: DispatchSettings
    let terms: AttemptTerms
    let isObserved: Bool
    let table = DeliveryTable()
    /// Urgent and bulk.
    let lanes: [LaneWindow]
    /// The channels in the order of preference.
    let gates: [ChannelGate]
    /// What the ledger holds parked for channels that the pipeline has no more.
    let orphans: [ParkedQueue]
    let actions = DispatchActions()
    /// What becomes of deliveries, on its way to the ledger.
    var outbox = SettlementOutbox<Settlement, InFlightDelivery>()
    var sweep = ExpirySweep()
    var retries: RetryClock
    var tally: DeliveryTally
    /// Nothing new is to be begun.
    var isDraining = false

    init(
        _ settings: DispatchSettings,
        _ terms: AttemptTerms,
        _ channels: [ChannelSetup],
        parked found: [(number: Int32, lane: Queue.Lane)],
        isObserved: Bool
    ) {
        self.settings = settings
        self.terms = terms
        self.isObserved = isObserved
        retries = RetryClock(settings.retry)
        tally = DeliveryTally(channels: channels.count)
        let table = table
        lanes = Queue.Lane.allCases.map { LaneWindow($0, capacity: settings.window($0), table: table) }
        let numbers = ParkedQueue.numbers(of: channels.map(\.id.label))
        gates = channels.enumerated().map { row, setup in
            ChannelGate(setup, row: row, parking: numbers[row], settings: settings)
        }
        orphans = found.filter { !numbers.contains($0.number) }.map { ParkedQueue(number: $0.number, lane: $0.lane) }
    }

    func lane(of delivery: InFlightDelivery) -> LaneWindow { lanes[delivery.lane.rawValue] }

    func gate(_ channel: ChannelID) -> ChannelGate? { gates.first { $0.id == channel } }

    /// When to look again at what the ledger could not say.
    func sweepTime(after now: ClockReading) -> MonotonicTime {
        now.monotonic.adding(milliseconds: settings.sweepInterval)
    }
}

/// What is to be done, gathered in a turn.
final class DispatchActions {
    private var gathered: [Dispatch.Action] = []

    func append(_ action: Dispatch.Action) { gathered.append(action) }

    func note(_ level: Log.Level, _ message: String, _ channel: ChannelID? = nil, reason: String) {
        gathered.append(.note(level, message, channel: channel?.label ?? "", reason: reason))
    }

    func note(_ notes: [FarEnd.Note], _ channel: ChannelID, reason: String) {
        for line in notes { note(line.level, line.message, channel, reason: line.level == .info ? "" : reason) }
    }

    func take() -> [Dispatch.Action] {
        defer { gathered = [] }
        return gathered
    }
}
