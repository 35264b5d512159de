// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON

/// The APNs stand-in without a network: requests in, reactions out.
struct APNsDesk {
    /// What one connection has shown so far.
    struct Connection {
        let number: Int
        var tokens = ProviderTokens()
    }

    let keys: ProviderKeys
    let checks: APNsChecks
    /// The stream limit of a connection once a good JWT was seen; `nil` leaves it as it is.
    let trustedLimit: Int?
    var rules = APNsRules()
    var records: RecordRing<APNsRecord>

    init(keys: ProviderKeys, checks: APNsChecks, trustedLimit: Int?, capacity: Int) {
        self.keys = keys
        self.checks = checks
        self.trustedLimit = trustedLimit
        records = RecordRing(capacity: capacity)
    }

    /// Decides about a request that is complete, at a time in milliseconds since 1970.
    mutating func react(to request: APNsRequest, on connection: inout Connection, at now: Int64) -> APNsReaction {
        let wasTrusted = connection.tokens.isTrusted
        var reaction = decide(request, &connection, now)
        if !wasTrusted, connection.tokens.isTrusted { reaction.streamLimit = reaction.streamLimit ?? trustedLimit }
        return reaction
    }

    private mutating func decide(
        _ request: APNsRequest,
        _ connection: inout Connection,
        _ now: Int64
    ) -> APNsReaction {
        let reaction: APNsReaction
        var label: (status: Int, reason: String)
        do throws(APNsReason) {
            try checks.checkLine(request)
            try connection.tokens.check(request.header("authorization"), against: keys, now: now / 1000)
            try checks.checkMessage(request)
            let rule = rules.take(for: request.token.lowercased(), at: now) ?? APNsRule()
            reaction = apply(rule, to: request, at: now)
            label = rule.effect == .answer ? (rule.status, rule.reason ?? "") : (0, rule.effect.rawValue)
        } catch {
            reaction = APNsReaction(act: answer(request, error.status, reason: error.reason))
            label = (error.status, error.reason)
        }
        records.append(record(request, connection, now, label))
        return reaction
    }

    private func record(
        _ request: APNsRequest,
        _ connection: Connection,
        _ now: Int64,
        _ label: (status: Int, reason: String)
    ) -> APNsRecord {
        APNsRecord(
            at: now,
            connection: connection.number,
            token: request.token,
            headers: request.headers.filter { $0.name != "authorization" },
            body: request.body,
            status: label.status,
            reason: label.reason
        )
    }

    private func apply(_ rule: APNsRule, to request: APNsRequest, at now: Int64) -> APNsReaction {
        var reaction = APNsReaction(act: .silence, delay: rule.delay, streamLimit: rule.streamLimit)
        switch rule.effect {
        case .silence: break
        case .refuse: reaction.act = .refuse
        case .reset: reaction.act = .reset
        case .drop: reaction.act = .drop
        case .goaway: reaction.act = .goaway(debug: rule.reason.map { Self.json($0, rule.timestamp) } ?? [])
        case .answer:
            let timestamp = rule.timestamp ?? (rule.status == 410 ? now : nil)
            reaction.act = answer(request, rule.status, reason: rule.reason, timestamp: timestamp, rule)
        }
        return reaction
    }

    private func answer(
        _ request: APNsRequest,
        _ status: Int,
        reason: String?,
        timestamp: Int64? = nil,
        _ rule: APNsRule? = nil
    ) -> APNsReaction.Act {
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
