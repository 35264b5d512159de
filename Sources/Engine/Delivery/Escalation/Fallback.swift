// SPDX-License-Identifier: Apache-2.0

import Bus

/// The fallback of one PIN code: whether its pushes still have the time, or a text message takes their place.
///
/// One text message at most, whatever happens. The way there:
///
///     pushing ──▶ due ──▶ asking ──▶ (the delivery ends)
///                  ▲         │
///                  └─────────┘  the gateway certainly did not take it
///
/// `due` is left only with the intent written in the ledger. A delivery that the ledger shows as asked when the bus
/// starts is `lost`: the gateway may have it, nobody can say, and it is not asked again.
struct Fallback: Sendable, Equatable {
    enum Stage: Sendable, Equatable {
        /// Pushes have the time.
        case pushing
        /// A text message is to be sent, for a reason; `nil` where the timeline has it already.
        case due(reason: String?)
        /// A gateway is asked, or about to be.
        case asking
        /// A gateway was asked in an earlier life.
        case lost
    }

    /// What a delivery does whose round begins.
    enum Choice: Sendable, Equatable {
        case push, text
    }

    /// What follows when all pushes of a round are answered.
    enum Next: Sendable, Equatable {
        case text
        /// A phone has until then to tell that it has it.
        case awaitReceipt
        /// Whatever would follow without a text message, but not beyond ``Fallback/time``.
        case goOn
    }

    /// What a round of pushes came to.
    struct Pushes: Sendable, Equatable {
        /// Whether a provider took one, in this round or before.
        var isTaken: Bool
        /// Whether one was written and not answered.
        var isAmbiguous: Bool
        /// Whether some are to be tried again, or wait for their channel.
        var isPending: Bool
        /// What went wrong.
        var problem: String?
    }

    /// Until when pushes have the time.
    let time: MonotonicTime
    private(set) var stage: Stage
    /// The number; `nil` where none is known.
    private(set) var phone: String?

    /// Takes it up where the ledger has it; a number that was remembered counts where the recipient's devices tell none.
    init(time: MonotonicTime, sms: SMSState?, phone: String? = nil) {
        self.time = time
        self.phone = phone
        switch sms {
        case nil: stage = .pushing
        case .due: stage = .due(reason: nil)
        case .called, .taken, .failed: stage = .lost
        }
    }

    /// Whether there are no more pushes.
    var isDue: Bool { if case .due = stage { phone != nil } else { false } }

    /// The moment until which pushes have the time, where a text message can follow.
    var limit: MonotonicTime? { stage == .pushing && phone != nil ? time : nil }

    /// Begins a round: `phone` and devices were just read.
    ///
    /// Without a number there is no fallback, and pushes go on as if there were no channel for phones.
    mutating func choose(
        phone: String?,
        hasDevice: Bool,
        isTaken: Bool,
        problem: String?,
        at now: MonotonicTime
    ) -> Choice {
        self.phone = phone
        guard phone != nil else { return .push }
        if stage == .pushing {
            if !hasDevice, !isTaken {
                stage = .due(reason: problem ?? "no device")
            } else if now >= time {
                stage = .due(reason: Self.late(isTaken))
            }
        }
        return isDue ? .text : .push
    }

    /// Sums up a round of pushes.
    mutating func pushed(_ pushes: Pushes, at now: MonotonicTime) -> Next {
        guard stage == .pushing, phone != nil else { return isDue ? .text : .goOn }
        if now >= time {
            stage = .due(reason: pushes.isTaken ? Self.late(true) : pushes.problem ?? Self.late(false))
        } else if pushes.isTaken {
            return pushes.isPending ? .goOn : .awaitReceipt
        } else if pushes.isAmbiguous || !pushes.isPending {
            stage = .due(reason: pushes.problem ?? "no device")
        } else {
            return .goOn
        }
        return .text
    }

    /// The time of pushes is over while some are not answered; returns whether a text message is due.
    mutating func timeUp(isTaken: Bool, at now: MonotonicTime) -> Bool {
        guard stage == .pushing, phone != nil, now >= time else { return false }
        stage = .due(reason: Self.late(isTaken))
        return true
    }

    /// The intent is on its way to the ledger; returns the reason where the timeline has none yet.
    mutating func ask() -> String? {
        guard case .due(let reason) = stage else { return nil }
        stage = .asking
        return reason
    }

    /// The gateway certainly does not have it.
    mutating func notTaken(reason: String? = nil) {
        if stage == .asking { stage = .due(reason: reason) }
    }

    private static func late(_ isTaken: Bool) -> String {
        isTaken ? "no receipt in time" : "no push was taken in time"
    }
}
