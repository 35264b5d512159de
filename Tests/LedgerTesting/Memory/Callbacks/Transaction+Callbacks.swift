// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

extension Transaction {
    /// Keeps that something happened, for every link of the pipeline that wants to hear of it.
    mutating func tellBanks(_ kind: BankEvent.Kind, of row: DeliveryRow, at moment: WallTime) {
        let since = CallbackRule.since(moment, now: now)
        for link in tables.callbacks.links where link.pipeline == row.pipeline {
            guard link.declaration.events.contains(kind) else { continue }
            tables.callbacks.add(
                [LineCallback(delivery: row.sequence, kind: kind, at: moment)],
                about: row.notification,
                to: link.number,
                due: CallbackRule.due(kind, since: since),
                since: since
            )
            wakeCallbacks(of: row.pipeline)
        }
    }

    /// Keeps who of a notification's recipients had no receipt, for the links that want to know.
    mutating func tellUnconfirmed(of row: NotificationRow, at moment: WallTime) {
        let since = CallbackRule.since(moment, now: now)
        let unconfirmed = tables.deliveries(of: row).filter(\.state.isUnconfirmed)
        for link in tables.callbacks.links where link.pipeline == row.pipeline {
            guard link.declaration.reportsUnconfirmed else { continue }
            tables.callbacks.add(
                unconfirmed.map { LineCallback(delivery: $0.sequence, kind: .expired, at: moment) },
                about: row.sequence,
                to: link.number,
                due: since,
                since: since
            )
            wakeCallbacks(of: row.pipeline)
        }
    }

    /// The calls of a link that are due, where it is this node's to call; nobody's is whoever's asks.
    mutating func dueCallbacks(_ link: LinkNumber, now due: DueTime, limit: Int) -> CallbackPage {
        guard tables.nodes.take(.callbacks(link), lease, at: now.due) else {
            return CallbackPage(calls: [], hasMore: false, nextDue: due.adding(milliseconds: LeaseRule.lasts))
        }
        return tables.calls(to: link, now: due, limit: limit)
    }

    /// Writes what became of a call; says whether that was this node's to write.
    mutating func settle(_ settlement: CallbackSettlement) -> Bool {
        guard holdsLease else { return false }
        guard var line = tables.callbacks.lines[settlement.line] else { return true }
        guard tables.nodes.has(.callbacks(line.link), lease, at: now.due) else { return false }
        let change = CallbackRule.settle(settlement.end, now: now.due)
        line.due = change.due
        line.attempts = change.attempts
        if change.removesCall {
            let call = line.waiting.filter { settlement.callbacks.contains($0.number) }
            line.waiting.removeAll { settlement.callbacks.contains($0.number) }
            if let deadLettering = change.deadLettering {
                deadLetter(call.map(\.callback), of: line, deadLettering, at: settlement.at)
            }
        }
        tables.callbacks.lines[line.number] = line.waiting.isEmpty ? nil : line
        return true
    }
}

extension Tables {
    fileprivate func calls(to link: LinkNumber, now: DueTime, limit: Int) -> CallbackPage {
        let lines = callbacks.lines.values.filter { $0.link == link }
        let ready = lines.filter { $0.due <= now }.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
        return CallbackPage(
            calls: ready.prefix(limit).compactMap(call),
            hasMore: ready.count >= limit,
            nextDue: lines.lazy.map(\.due).filter { $0 > now }.min()
        )
    }

    private func call(of line: LineRow) -> QueuedCallback? {
        let head = line.waiting.prefix(CallbackRule.headLength(line.waiting.lazy.map(\.callback.kind)))
        guard let first = head.first, let notification = notifications[line.notification] else { return nil }
        return QueuedCallback(
            line: line.number,
            callbacks: head.map(\.number),
            kind: first.callback.kind,
            notification: notification.content.id,
            users: users(of: head.map(\.callback.delivery)),
            at: head.lazy.map(\.callback.at).min() ?? first.callback.at,
            since: head.lazy.map(\.since).min() ?? first.since,
            attempts: line.attempts
        )
    }

    /// Users as the bank spelt them first.
    func users(of deliveries: some Sequence<Int64>) -> [RecipientID] {
        deliveries.compactMap { self.deliveries[$0] }.map { $0.spellings.first ?? $0.recipient }
    }
}
