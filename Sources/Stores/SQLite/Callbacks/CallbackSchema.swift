// SPDX-License-Identifier: Apache-2.0

import Bus

extension Schema {
    // The time and the attempts belong to the line, not to its callbacks: none of them overtakes another. A line is
    // there while it has callbacks. Neither holds a text: what the bank calls things is read when it is told.
    static let callbacks = """
        CREATE TABLE link (
            number INTEGER PRIMARY KEY,
            pipeline INTEGER NOT NULL,
            name TEXT NOT NULL,
            events INTEGER NOT NULL,
            unconfirmed INTEGER NOT NULL,
            UNIQUE (pipeline, name)
        );
        CREATE TABLE callback_line (
            seq INTEGER PRIMARY KEY,
            link INTEGER NOT NULL,
            notification INTEGER NOT NULL,
            due INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            UNIQUE (link, notification)
        );
        CREATE INDEX callback_line_due ON callback_line (link, due);
        CREATE TABLE callback (
            seq INTEGER PRIMARY KEY,
            line INTEGER NOT NULL,
            delivery INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            at INTEGER NOT NULL,
            since INTEGER NOT NULL
        );
        CREATE INDEX callback_of_line ON callback (line);
        CREATE TABLE dead_letter (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            link INTEGER NOT NULL,
            notification INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            deliveries BLOB NOT NULL,
            delivery_count INTEGER NOT NULL,
            at INTEGER NOT NULL,
            died INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            reason TEXT NOT NULL
        )
        """
}

/// The stored number of a kind of callback.
enum KindCode {
    static func of(_ kind: BankEvent.Kind) -> Int64 {
        switch kind {
        case .expired: 0
        case .opened: 1
        case .delivered: 2
        case .failed: 3
        }
    }

    static func kind(_ code: Int64) -> BankEvent.Kind {
        switch code {
        case 1: .opened
        case 2: .delivered
        case 3: .failed
        default: .expired
        }
    }

    /// A set of kinds as bits.
    static func mask(_ kinds: Set<BankEvent.Kind>) -> Int64 { kinds.reduce(0) { $0 | 1 << of($1) } }
}
