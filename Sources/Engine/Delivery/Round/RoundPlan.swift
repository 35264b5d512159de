// SPDX-License-Identifier: Apache-2.0

import Bus

/// What follows from a round of attempts whose answers are all there.
enum RoundPlan {
    /// What is known of the delivery and its round.
    struct Facts: Equatable, Sendable {
        /// How far it is, with what this round brought.
        var status = DeliveryStatus.queued
        /// Whether it is closed in the ledger already.
        var isOver = false
        /// Whether a token was called dead.
        var hasDied = false
        /// Whether a provider refused it for good.
        var isRejected = false
        /// Whether a push was written and not answered.
        var isAmbiguous = false
        /// Whether some device wants to be tried again.
        var wantsRetry = false
        /// Whether some device has to wait for its channel.
        var isBlocked = false
        /// Whether a further attempt is allowed.
        var mayRetry = true
        /// Whether it has one attempt, now or never.
        var isPerishable = false
        /// Whether its time has passed.
        var isExpired = false
        /// Whether its devices may be read once more: nothing is draining, and there is time.
        var mayRecheck = false
        /// What went wrong last.
        var problem: String?
    }

    /// What is to be done.
    enum Disposition: Equatable, Sendable {
        /// Let go: it is closed already.
        case letGo
        /// Read its devices once more: an app may have told a new token while the provider was asked about the old.
        case recheck
        /// Send a text message in the place of pushes.
        case escalate
        /// Wait for a phone to tell that it has it.
        case awaitReceipt
        /// Try again later.
        case retry
        /// Wait for a channel.
        case wait
        /// End.
        case finish(DeliveryStatus)
    }

    /// Draws the sum of a round, and takes the fallback along.
    static func disposition(_ facts: Facts, _ fallback: inout Fallback?, at now: MonotonicTime) -> Disposition {
        if facts.isOver { return .letGo }
        if facts.mayRecheck, facts.hasDied, facts.status == .queued, !facts.wantsRetry, !facts.isBlocked {
            return .recheck
        }
        let pushes = Fallback.Pushes(
            isTaken: facts.status == .sent,
            isAmbiguous: facts.isAmbiguous,
            isPending: facts.wantsRetry && facts.mayRetry || facts.isBlocked,
            problem: facts.problem
        )
        switch fallback?.pushed(pushes, at: now) {
        case .text: return .escalate
        case .awaitReceipt: return .awaitReceipt
        case .goOn, nil: break
        }
        if facts.isBlocked { return .wait }
        if facts.wantsRetry { return retry(facts) }
        return .finish(final(facts))
    }

    /// Where another attempt is wanted and not allowed, it ends.
    private static func retry(_ facts: Facts) -> Disposition {
        if facts.mayRetry, !facts.isExpired { return .retry }
        let failed: DeliveryStatus = facts.isPerishable ? .sendingFailed : .expired
        return .finish(facts.status == .queued ? failed : facts.status)
    }

    /// The end of a delivery whose devices are all settled.
    private static func final(_ facts: Facts) -> DeliveryStatus {
        if facts.status != .queued { return facts.status }
        return facts.isRejected ? .sendingFailed : .invalidSubscription
    }

    /// The end of a delivery whose time has passed.
    static func expired(_ status: DeliveryStatus, isDamaged: Bool) -> DeliveryStatus {
        guard status == .queued else { return status }
        return isDamaged ? .sendingFailed : .expired
    }
}
