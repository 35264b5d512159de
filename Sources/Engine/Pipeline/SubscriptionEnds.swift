// SPDX-License-Identifier: Apache-2.0

import Bus
import Synchronization

/// Tells operators of every subscription that ends, and counts why: each is a customer who hears nothing any more.
public final class SubscriptionEnds: Sendable {
    /// Why a subscription ended.
    public enum Reason: String, Sendable, CaseIterable {
        /// A provider called its token dead.
        case invalidToken = "invalid_token"
        /// An operator confirmed what providers had said.
        case confirmed
        /// A new registration of the same device or token took its place.
        case replaced
        /// The app ended it.
        case unregistered
        /// The bank ended all of its user's.
        case deleted
        /// Nothing was heard of its device for longer than `subscriptions.expire_after`.
        case silent
    }

    /// More of one step than this are told in one line.
    private static let mostLines = 20

    private let counts = Mutex<[Reason: Int]>([:])
    private let log: Log

    init(log: Log) { self.log = log }

    /// The ends since the start, by reason; every reason is there.
    public func totals() -> [(reason: Reason, count: Int)] {
        let counts = counts.withLock { $0 }
        return Reason.allCases.map { ($0, counts[$0] ?? 0) }
    }

    /// Tells that subscriptions ended otherwise than by a provider's word.
    func note(_ reason: Reason, _ count: Int = 1) {
        guard count > 0 else { return }
        counts.withLock { $0[reason, default: 0] += count }
        log.info("subscriptions ended", ["reason": reason.rawValue, "count": "\(count)"])
    }

    /// Tells what a channel's verdicts came to.
    func note(_ result: Result<InvalidTokenResult, LedgerError>, channel: String) {
        switch result {
        case .failure(let error):
            log.error("cannot do what was decided about invalid tokens", ["channel": channel, "reason": "\(error)"])
        case .success(let result):
            if result.restored > 0 {
                let message = "subscriptions restored that had ended for invalid tokens"
                log.warning(message, ["channel": channel, "count": "\(result.restored)"])
            }
            note(result.ended, channel)
        }
    }

    private func note(_ ended: [EndedSubscription], _ channel: String) {
        guard !ended.isEmpty else { return }
        counts.withLock { $0[.invalidToken, default: 0] += ended.count }
        for end in ended.prefix(Self.mostLines) {
            log.info(
                "subscription ended: its token is invalid",
                ["channel": channel, "subscription": "\(end.subscription)", "app": end.app, "reason": end.reason]
            )
        }
        guard ended.count > Self.mostLines else { return }
        let more = "\(ended.count - Self.mostLines)"
        log.info("further subscriptions ended: their tokens are invalid", ["channel": channel, "count": more])
    }
}
