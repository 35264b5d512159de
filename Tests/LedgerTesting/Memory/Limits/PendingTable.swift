// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// A registration that waits for a code.
struct PendingRow: Sendable {
    let number: Int64
    let new: NewPendingRegistration
    var tries = 0

    /// Whether a code of this app, or of any where that is `nil`, is for it.
    func isWanted(by wish: PendingWish) -> Bool {
        new.pipeline == wish.pipeline && new.registration.deviceID == wish.deviceID
            && new.registration.user.id == wish.user && wish.app ?? new.registration.app == new.registration.app
    }

    /// Whether it is of the same user, device and app.
    func isReplaced(by other: NewPendingRegistration) -> Bool {
        new.pipeline == other.pipeline && new.registration.deviceID == other.registration.deviceID
            && new.registration.user.id == other.registration.user.id
            && new.registration.app == other.registration.app
    }
}

/// Registrations that wait, by number.
struct PendingTable: Sendable {
    private var rows: [Int64: PendingRow] = [:]
    private var last: Int64 = 0

    /// Keeps one; says whether there was room.
    mutating func keep(_ new: NewPendingRegistration) -> Bool {
        let over = rows.values.filter { VerificationRule.isOver(expires: $0.new.expires, now: new.at) }
        for row in over.sorted(by: { $0.new.expires < $1.new.expires }).prefix(VerificationRule.lot) {
            rows[row.number] = nil
        }
        rows = rows.filter { !$0.value.isReplaced(by: new) }
        if let first = rows.keys.min(), let newest = rows.keys.max(),
            !VerificationRule.hasRoom(first: first, last: newest)
        {
            return false
        }
        last += 1
        rows[last] = PendingRow(number: last, new: new)
        return true
    }

    /// Finds the newest that a code is for, and counts a try.
    mutating func takeTry(_ wish: PendingWish) -> PendingTry {
        let found = rows.values.filter {
            $0.isWanted(by: wish) && !VerificationRule.isOver(expires: $0.new.expires, now: wish.now)
        }
        guard let row = found.max(by: { $0.number < $1.number }) else { return .nothing }
        let expires = row.new.expires
        switch VerificationRule.take(tries: row.tries, of: wish.mostTries, expires: expires, now: wish.now) {
        case .over: return .nothing
        case .usedUp: return .usedUp(until: expires)
        case .tries(let tries):
            rows[row.number]?.tries = tries
            // Who asked for it is not kept.
            var registration = row.new.registration
            registration.credential = .none
            return .pending(
                PendingRegistration(sequence: row.number, registration: registration, codeSeal: row.new.codeSeal)
            )
        }
    }

    mutating func giveBackTry(_ number: Int64) {
        guard let row = rows[number] else { return }
        rows[number]?.tries = VerificationRule.giveBack(tries: row.tries)
    }

    /// Ends one; says whether it still waited.
    mutating func end(_ number: Int64) -> Bool { rows.removeValue(forKey: number) != nil }
}
