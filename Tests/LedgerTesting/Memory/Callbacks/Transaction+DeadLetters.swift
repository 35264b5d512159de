// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

extension Transaction {
    /// Keeps a text message that will not arrive.
    mutating func deadLetter(_ row: DeliveryRow, _ deadLettering: DeliveryChange.DeadLettering, at moment: WallTime) {
        tables.deadLetters.insert { number in
            DeadLetterRow(
                number: number,
                origin: .channel(deadLettering.channel),
                notification: row.notification,
                remains: DeadLetterRule.Remains(kind: .failed, deliveries: [row.sequence], at: moment),
                died: moment,
                attempts: row.state.attempts,
                reason: deadLettering.reason
            )
        }
    }

    /// Keeps a call that its bank will not hear.
    mutating func deadLetter(
        _ call: [LineCallback],
        of line: LineRow,
        _ deadLettering: CallbackRule.DeadLettering,
        at moment: WallTime
    ) {
        guard let remains = DeadLetterRule.deadLetter(call) else { return }
        tables.deadLetters.insert { number in
            DeadLetterRow(
                number: number,
                origin: .link(line.link),
                notification: line.notification,
                remains: remains,
                died: moment,
                attempts: deadLettering.attempts,
                reason: deadLettering.reason
            )
        }
    }

    /// Has a dead letter tried again; says whether it was there, and still can be.
    mutating func replay(_ number: Int64, at moment: WallTime) -> Bool {
        guard let letter = tables.deadLetters[number] else { return false }
        switch letter.origin {
        case .link(let link):
            tables.callbacks.add(
                letter.remains.callbacks,
                about: letter.notification,
                to: link,
                due: now.due,
                since: now.due
            )
            if let pipeline = tables.callbacks[link]?.pipeline { wakeCallbacks(of: pipeline) }
        case .channel(let channel):
            guard let notification = tables.notifications[letter.notification] else { return false }
            let changes = letter.remains.deliveries.compactMap { delivery in
                tables.deliveries[delivery].flatMap { row in
                    DeliveryRule.replay(row.state, expires: notification.expires, now: now, at: moment)
                        .map { (delivery, $0) }
                }
            }
            guard !changes.isEmpty else { return false }
            for (delivery, change) in changes { apply(change, to: delivery) }
            tell(.reopened(channel: channel), in: notification.pipeline)
        }
        return tables.deadLetters.remove(number)
    }
}

extension Tables {
    /// A dead letter with the first so many of its users.
    func letter(_ row: DeadLetterRow, users limit: Int) -> DeadLetter? {
        guard let notification = notifications[row.notification] else { return nil }
        let name =
            switch row.origin {
            case .link(let link): callbacks[link]?.declaration.label ?? ""
            case .channel(let channel): channel
            }
        return DeadLetter(
            number: row.number,
            pipeline: pipelines.name(of: notification.pipeline),
            link: name,
            kind: row.remains.kind,
            notification: notification.content.id,
            users: users(of: row.remains.deliveries.prefix(limit)),
            userCount: row.remains.deliveries.count,
            at: row.remains.at,
            died: row.died,
            attempts: row.attempts,
            reason: row.reason
        )
    }
}
