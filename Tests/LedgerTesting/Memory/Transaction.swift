// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// What one commit of a store in memory does, for one node.
struct Transaction {
    /// The tables as they will be.
    var tables: Tables
    /// Whose it is.
    let lease: Lease
    /// When it began.
    let now: ClockReading
    /// What those who watch are to hear, in this order.
    private(set) var events: [ToldEvent] = []
    /// Pipelines whose banks have something new to hear.
    private var woken: Set<PipelineNumber> = []

    init(_ tables: Tables, lease: Lease, now: ClockReading) {
        self.tables = tables
        self.lease = lease
        self.now = now
    }

    /// Whether the node may work.
    var holdsLease: Bool { tables.nodes.holds(lease, at: now.due) }

    /// Has those hear it who watch the pipeline, on this node or on all.
    mutating func tell(_ event: LedgerEvent, in pipeline: PipelineNumber, onThisNodeOnly: Bool = false) {
        events.append(ToldEvent(pipeline: pipeline, event: event, isOfOneNode: onThisNodeOnly))
    }

    /// Says once, however often it is called, that a bank has something new to hear.
    mutating func wakeCallbacks(of pipeline: PipelineNumber) {
        if woken.insert(pipeline).inserted { tell(.callbacks, in: pipeline) }
    }
}

/// An event on its way to those who watch.
struct ToldEvent: Sendable {
    let pipeline: PipelineNumber
    let event: LedgerEvent
    /// Whether only the node that caused it hears of it.
    let isOfOneNode: Bool
}
