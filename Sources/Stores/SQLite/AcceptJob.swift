// SPDX-License-Identifier: Apache-2.0

import Engine

/// One caller's wish to have a notification accepted.
///
/// An object, because a ``WriteJob`` is looked at several times and copying what is in here costs a dozen retains.
final class AcceptJob: Sendable {
    let acceptance: Acceptance
    let content: [UInt8]
    let sink: (any AcceptanceSink)?
    let completion: Completion<AcceptanceResult>

    init(
        _ acceptance: Acceptance,
        content: [UInt8],
        sink: (any AcceptanceSink)?,
        _ completion: @escaping Completion<AcceptanceResult>
    ) {
        self.acceptance = acceptance
        self.content = content
        self.sink = sink
        self.completion = completion
    }
}

/// What one transaction accepted, by whom it is for.
struct AcceptedBatch {
    private var parts: [(sink: any AcceptanceSink, notifications: [AcceptedNotification])] = []

    /// Adds what became of a wish, where it was accepted and somebody wants to hear of it.
    mutating func add(_ job: AcceptJob, _ result: AcceptanceResult) {
        guard let sink = job.sink, case .accepted(let sequence, let first, let closed) = result else { return }
        let notification = AcceptedNotification(
            acceptance: job.acceptance,
            sequence: sequence,
            firstDelivery: first,
            closed: closed
        )
        // There is a sink for each pipeline: a handful.
        if let index = parts.firstIndex(where: { $0.sink === sink }) {
            parts[index].notifications.append(notification)
        } else {
            parts.append((sink, [notification]))
        }
    }

    /// Tells everybody.
    mutating func deliver() {
        for part in parts { part.sink.accepted(part.notifications) }
        parts.removeAll(keepingCapacity: true)
    }
}
