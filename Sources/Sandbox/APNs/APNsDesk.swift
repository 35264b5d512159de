// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON

/// The APNs stand-in without a network: requests in, reactions out.
struct APNsDesk: PushDesk {
    /// What one connection has shown so far.
    struct Connection {
        let number: Int
        var tokens = ProviderTokens()
    }

    /// More than the server has open at once: the oldest are those that have gone.
    private static let connectionLimit = 4096

    let keys: ProviderKeys
    let checks: APNsChecks
    /// The stream limit of a connection once a good JWT was seen; `nil` leaves it as it is.
    let trustedLimit: Int?
    var rules = PushRules { $0.lowercased() }
    private var connections: [UInt64: Connection] = [:]
    var records: RecordRing<PushRecord>

    init(keys: ProviderKeys, checks: APNsChecks, trustedLimit: Int?, capacity: Int) {
        self.keys = keys
        self.checks = checks
        self.trustedLimit = trustedLimit
        records = RecordRing(capacity: capacity)
    }

    mutating func react(to request: PushRequest, on number: UInt64, at now: Int64) -> PushReaction {
        if connections.count >= Self.connectionLimit, connections[number] == nil {
            connections = connections.filter { $0.key + UInt64(Self.connectionLimit / 2) > number }
        }
        var connection = connections[number] ?? Connection(number: Int(number))
        defer { connections[number] = connection }
        return react(to: request, on: &connection, at: now)
    }

    /// Decides about a request that is complete, at a time in milliseconds since 1970.
    mutating func react(to request: PushRequest, on connection: inout Connection, at now: Int64) -> PushReaction {
        let wasTrusted = connection.tokens.isTrusted
        var reaction = decide(request, &connection, now)
        if !wasTrusted, connection.tokens.isTrusted { reaction.streamLimit = reaction.streamLimit ?? trustedLimit }
        return reaction
    }

    private mutating func decide(
        _ request: PushRequest,
        _ connection: inout Connection,
        _ now: Int64
    ) -> PushReaction {
        let reaction: PushReaction
        var label: (status: Int, reason: String)
        do throws(APNsReason) {
            try checks.checkLine(request)
            try connection.tokens.check(request.header("authorization"), against: keys, now: now / 1000)
            try checks.checkMessage(request)
            let rule = rules.take(for: request.deviceToken, on: UInt64(connection.number), at: now) ?? PushRule()
            let timestamp = rule.timestamp ?? (rule.status == 410 ? now : nil)
            reaction = rule.reaction(goodbye: rule.reason.map { Self.json($0, rule.timestamp) }) {
                answer(request, rule.status, reason: rule.reason, timestamp: timestamp, rule)
            }
            label = rule.label
        } catch {
            reaction = PushReaction(act: answer(request, error.status, reason: error.reason))
            label = (error.status, error.reason)
        }
        records.append(record(request, connection, now, label))
        return reaction
    }

    private func record(
        _ request: PushRequest,
        _ connection: Connection,
        _ now: Int64,
        _ label: (status: Int, reason: String)
    ) -> PushRecord {
        PushRecord(
            at: now,
            connection: connection.number,
            token: request.deviceToken,
            headers: request.headers.filter { $0.name != "authorization" },
            body: request.body,
            status: label.status,
            reason: label.reason
        )
    }

    private func answer(
        _ request: PushRequest,
        _ status: Int,
        reason: String?,
        timestamp: Int64? = nil,
        _ rule: PushRule? = nil
    ) -> PushReaction.Act {
        let given = request.header("apns-id")
        let isGood = given.map(UUIDText.isCanonical) ?? false
        var fields = ["apns-id": isGood ? given ?? "" : UUIDText.random()]
        if status == 200 { fields["apns-unique-id"] = UUIDText.random() }
        fields["retry-after"] = rule?.retryAfter
        if let body = rule?.body {
            fields["content-type"] = "text/html"
            return .answer(status: status, fields: fields, body: Array(body.utf8))
        }
        guard let reason else { return .answer(status: status, fields: fields, body: []) }
        fields["content-type"] = "application/json"
        return .answer(status: status, fields: fields, body: Self.json(reason, timestamp))
    }

    private static func json(_ reason: String, _ timestamp: Int64?) -> [UInt8] {
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        writer.key("reason")
        writer.string(reason)
        writer.number("timestamp", timestamp)
        writer.endObject()
        return writer.bytes
    }
}

extension PushRequest {
    /// What stands where the device token belongs.
    var deviceToken: String { String(path.split(separator: "/").last ?? "") }
}
