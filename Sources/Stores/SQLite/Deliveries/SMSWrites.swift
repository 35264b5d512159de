// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import SQLite

/// The writer's statements for what is told of text messages after their gateways had them.
struct SMSWrites {
    private let changes: DeliveryChanges
    private let channelOf: Statement
    private let letterOf: Statement
    private let expiryOf: Statement

    init(_ connection: Connection, changes: DeliveryChanges) throws(SQLiteError) {
        self.changes = changes
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }
        channelOf = try prepare(
            "SELECT channel FROM event WHERE delivery = ?1 AND status = \(EventCode.fallback) ORDER BY seq DESC LIMIT 1"
        )
        letterOf = try prepare("SELECT deliveries FROM dead_letter WHERE seq = ?1 AND channel IS NOT NULL")
        expiryOf = try prepare("SELECT expires FROM notification WHERE seq = ?1")
    }

    /// Opens the delivery again whose text message is a dead letter; `false` where it is none, or its time has passed.
    func reopen(letter: Int64, at now: WallTime) throws(SQLiteError) -> Bool {
        letterOf.bind(letter, at: 1)
        defer { letterOf.reset() }
        guard try letterOf.step(), let deliveries = try? NumberListCodec.decode(letterOf.bytes(0)) else { return false }
        var isOpen = false
        for number in deliveries where try reopen(number, at: now) { isOpen = true }
        return isOpen
    }

    private func reopen(_ number: Int64, at now: WallTime) throws(SQLiteError) -> Bool {
        guard let delivery = try changes.rows.find(number), let expires = try expiry(of: delivery.notification),
            let change = DeliveryRule.replay(
                delivery.state,
                expires: expires,
                now: changes.callbacks.schedule.read(),
                at: now
            )
        else { return false }
        try changes.apply(change, to: delivery)
        return true
    }

    private func expiry(of notification: Int64) throws(SQLiteError) -> WallTime? {
        expiryOf.bind(notification, at: 1)
        defer { expiryOf.reset() }
        return try expiryOf.step() ? expiryOf.wallTime(0) : nil
    }

    /// Keeps what a gateway told later; returns whether it had got such a text message.
    func receive(_ report: NewGatewayReport) throws(SQLiteError) -> KeptReport {
        guard let delivery = try changes.rows.find(report.delivery),
            delivery.pipeline == Int64(report.pipeline.rawValue), DeliveryRule.knowsReports(delivery.state)
        else { return KeptReport(isKnown: false) }
        let channel = try channel(of: report.delivery)
        let change = DeliveryRule.receive(delivery.state, report.fate, of: channel, at: report.at)
        guard let change else { return KeptReport(isKnown: true) }
        try changes.apply(change, to: delivery)
        return KeptReport(isKnown: true, reached: change.reached)
    }

    private func channel(of delivery: Int64) throws(SQLiteError) -> String {
        channelOf.bind(delivery, at: 1)
        defer { channelOf.reset() }
        return try channelOf.step() ? channelOf.text(0) : ""
    }
}
