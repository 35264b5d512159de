// SPDX-License-Identifier: Apache-2.0

import Engine

/// What the open transaction gives those who watch to hear.
///
/// An object: several of the writer's parts add to the same one.
final class TransactionEvents {
    private struct Part {
        let pipeline: PipelineNumber
        var accepted: [AcceptedNotification] = []
        var others: [LedgerEvent] = []

        var events: [LedgerEvent] { (accepted.isEmpty ? [] : [.accepted(accepted)]) + others }
    }

    private var parts: [Part] = []

    func add(_ notification: AcceptedNotification) {
        parts[part(of: notification.acceptance.pipeline)].accepted.append(notification)
    }

    func add(_ event: LedgerEvent, in pipeline: PipelineNumber) { parts[part(of: pipeline)].others.append(event) }

    /// All there is to tell, by pipeline, once.
    func take() -> [(pipeline: PipelineNumber, events: [LedgerEvent])] {
        guard !parts.isEmpty else { return [] }
        defer { clear() }
        return parts.map { ($0.pipeline, $0.events) }
    }

    /// Forgets what a transaction that failed would have told.
    func clear() { parts.removeAll(keepingCapacity: true) }

    // There are a handful of pipelines.
    private func part(of pipeline: PipelineNumber) -> Int {
        if let index = parts.firstIndex(where: { $0.pipeline == pipeline }) { return index }
        parts.append(Part(pipeline: pipeline))
        return parts.count - 1
    }
}
