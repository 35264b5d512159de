// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// A notification without its id's pipeline's other ones: what was accepted, beside its deliveries.
struct NotificationRow: Sendable {
    let sequence: Int64
    let pipeline: PipelineNumber
    /// Without its recipients: they are the deliveries'.
    var content: Notification
    let accepted: WallTime
    let expires: WallTime
    var deliveries: Range<Int64>
    /// The bank's order, where the deliveries are in another.
    let order: [Int]?
    var aftermath: NotificationRule.Aftermath
}

/// All notifications, and the numbers that come next.
struct NotificationTable: Sendable {
    private struct Key: Hashable {
        let pipeline: PipelineNumber
        let id: NotificationID
    }

    private(set) var rows: [Int64: NotificationRow] = [:]
    private var numbers: [Key: Int64] = [:]
    private(set) var last: Int64 = 0
    private var lastDelivery: Int64 = 0

    subscript(sequence: Int64) -> NotificationRow? { rows[sequence] }

    func find(_ id: NotificationID, in pipeline: PipelineNumber) -> NotificationRow? {
        numbers[Key(pipeline: pipeline, id: id)].flatMap { rows[$0] }
    }

    /// Keeps a notification, with numbers for so many deliveries; `nil` where the pipeline knows the id.
    mutating func insert(_ acceptance: Acceptance, aftermath: NotificationRule.Aftermath) -> NotificationRow? {
        var content = acceptance.notification
        let key = Key(pipeline: acceptance.pipeline, id: content.id)
        guard numbers[key] == nil else { return nil }
        content.recipients = []
        last += 1
        let first = lastDelivery + 1
        lastDelivery += Int64(acceptance.deliveries.count)
        let row = NotificationRow(
            sequence: last,
            pipeline: acceptance.pipeline,
            content: content,
            accepted: acceptance.at,
            expires: acceptance.at.adding(seconds: Int64(content.timeout)),
            deliveries: first..<lastDelivery + 1,
            order: acceptance.order,
            aftermath: aftermath
        )
        rows[last] = row
        numbers[key] = last
        return row
    }

    mutating func update(_ sequence: Int64, _ change: (inout NotificationRow) -> Void) {
        guard var row = rows.removeValue(forKey: sequence) else { return }
        change(&row)
        rows[sequence] = row
    }

    mutating func remove(_ row: NotificationRow) {
        rows[row.sequence] = nil
        numbers[Key(pipeline: row.pipeline, id: row.content.id)] = nil
    }
}

/// The pipelines' numbers, and how fine the signs of their subscriptions are kept.
struct PipelineTable: Sendable {
    private static let day: Int64 = 86_400_000

    private(set) var names: [String] = []
    private var signIntervals: [PipelineNumber: Int64] = [:]

    mutating func number(of name: String) -> PipelineNumber {
        if let index = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return number(at: index) }
        names.append(name)
        return number(at: names.count - 1)
    }

    private func number(at index: Int) -> PipelineNumber { PipelineNumber(rawValue: Int32(index + 1)) }

    func name(of pipeline: PipelineNumber) -> String { names[Int(pipeline.rawValue) - 1] }

    func lastSeenInterval(of pipeline: PipelineNumber) -> Int64 { signIntervals[pipeline] ?? Self.day }

    mutating func keepLastSeen(_ pipeline: PipelineNumber, every interval: Int64) { signIntervals[pipeline] = interval }
}
