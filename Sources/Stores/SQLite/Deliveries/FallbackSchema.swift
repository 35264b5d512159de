// SPDX-License-Identifier: Apache-2.0

import Engine

extension Schema {
    // All NULL for everything but PIN codes that a text message may take over, and in no index: such a delivery is open
    // until it did, or a phone has it, and is due at the time of the fallback. `phone` is the number that was known when the
    // fallback was decided, or a token died; it goes when the delivery ends. `event.channel` is the channel that a
    // step is about. A dead letter of a channel belongs to no link (0) and names the channel.
    static let fallback = """
        ALTER TABLE delivery ADD COLUMN fallback INTEGER;
        ALTER TABLE delivery ADD COLUMN text_state INTEGER;
        ALTER TABLE delivery ADD COLUMN phone TEXT;
        ALTER TABLE event ADD COLUMN channel TEXT;
        ALTER TABLE dead_letter ADD COLUMN channel TEXT
        """
}

/// The stored number of a text message's state.
enum TextCode {
    static func of(_ state: SMSState) -> Int64 {
        switch state {
        case .due: 0
        case .called: 1
        case .taken: 2
        case .failed: 3
        }
    }

    /// A number that is none of ours (a damaged file) counts as one that a gateway may have: nothing is sent twice.
    static func state(_ code: Int64) -> SMSState {
        switch code {
        case 0: .due
        case 2: .taken
        case 3: .failed
        default: .called
        }
    }
}

/// What a row of the event table tells: a problem, a step that is no delivery status, or a status.
enum EventCode {
    static let problem: Int64 = 0
    static let fallback: Int64 = 100
    static let unknown: Int64 = 101
}
