// SPDX-License-Identifier: Apache-2.0

import Bus

extension Pipeline {
    /// The most characters of a stage's reason that a timeline shows.
    private static let longestReason = 300

    /// Answers for a message that a stage dropped, as if it had been done.
    ///
    /// A notification leaves a trace: it is kept, and its recipients end SENDING_FAILED with the reason.
    func drop(_ message: Message, by stage: String, because reason: String) async -> Reply {
        let reason = "dropped by \(stage): \(reason.prefix(Self.longestReason))"
        guard case .notification(let notification) = message else {
            log.info("a stage dropped a message", ["kind": message.kind, "reason": reason])
            return .done
        }
        let problems = notification.problems
        guard problems.isEmpty else { return .refused(Refusal(fields: problems)) }
        let merged = MergedRecipients(notification.recipients)
        return await keep(notification, to: merged, at: ledger.schedule.read(), dropReason: reason)
    }
}

extension Message {
    /// What it is, for a log: nothing of what it holds.
    fileprivate var kind: String {
        switch self {
        case .notification: "notification"
        case .registration: "registration"
        case .verification: "verification"
        case .tokenUpdate: "token update"
        case .unregistration: "unregistration"
        case .receipt: "receipt"
        case .event: "event"
        case .gatewayReport: "gateway report"
        case .query: "query"
        }
    }
}
