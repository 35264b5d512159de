// SPDX-License-Identifier: Apache-2.0

import Engine

/// Who has joined, and who does what for all.
struct NodeTable: Sendable {
    private struct Row: Sendable {
        var epoch: Int64
        /// When its lease ends; `nil` while it is renewed.
        var until: DueTime?
    }

    private var rows: [Int64: Row] = [:]
    private var duties: [Duty: Lease] = [:]

    /// Gives a node a new lease; the one before is over.
    mutating func join(_ node: Int64) -> Lease {
        let epoch = 1 + (rows[node]?.epoch ?? 0)
        rows[node] = Row(epoch: epoch)
        return Lease(node: node, epoch: epoch)
    }

    func holds(_ lease: Lease, at now: DueTime) -> Bool {
        guard let row = rows[lease.node], row.epoch == lease.epoch else { return false }
        return row.until.map { LeaseRule.isHeld(until: $0, now: now) } ?? true
    }

    mutating func renew(_ lease: Lease, until: DueTime?) {
        if rows[lease.node]?.epoch == lease.epoch { rows[lease.node]?.until = until }
    }

    /// Ends a lease at once; the row stays, so that its epoch never comes again.
    mutating func end(_ lease: Lease) { renew(lease, until: .distantPast) }

    /// Gives a node a duty that nobody with a lease has; says whether it is its.
    mutating func take(_ duty: Duty, _ lease: Lease, at now: DueTime) -> Bool {
        guard holds(lease, at: now) else { return false }
        if let holder = duties[duty], holder != lease, holds(holder, at: now) { return false }
        duties[duty] = lease
        return true
    }

    /// Whether a duty is a node's.
    func has(_ duty: Duty, _ lease: Lease, at now: DueTime) -> Bool {
        duties[duty] == lease && holds(lease, at: now)
    }
}
