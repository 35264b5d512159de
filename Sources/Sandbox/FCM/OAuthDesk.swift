// SPDX-License-Identifier: Apache-2.0

import Crypto
import Glibc
import JSON

/// Google's token endpoint without a network, as far as service accounts use it (RFC 7523).
struct OAuthDesk: PushDesk {
    static let path = "/token"

    let key: VerifyingKey
    let book: AccessTokenBook
    /// What `aud` must be: the account's `token_uri`.
    private var address = ""
    var rules = PushRules()
    var records: RecordRing<PushRecord>

    init(key: VerifyingKey, book: AccessTokenBook, capacity: Int) {
        self.key = key
        self.book = book
        records = RecordRing(capacity: capacity)
    }

    mutating func opened(at endpoint: String) { address = endpoint + Self.path }

    mutating func react(to request: PushRequest, on connection: UInt64, at now: Int64) -> PushReaction {
        let ourTime = now + Int64(book.clockAhead) * 1000
        let reaction: PushReaction
        var label: (status: Int, reason: String)
        do throws(OAuthError) {
            try GrantChecks(key: key, address: address).check(request, now: ourTime / 1000)
            let rule = rules.take(for: ServiceAccountKey.email, on: connection, at: now) ?? PushRule()
            reaction = rule.reaction { answer(rule, now, ourTime) }
            label = rule.label
        } catch {
            reaction = PushReaction(act: Self.answer(error.status, error.json, at: ourTime))
            label = (error.status, error.code)
        }
        records.append(
            PushRecord(
                at: now,
                connection: Int(connection),
                token: ServiceAccountKey.email,
                headers: request.headers.filter { $0.name != "authorization" },
                body: [],
                status: label.status,
                reason: label.reason
            )
        )
        return reaction
    }

    private func answer(_ rule: PushRule, _ now: Int64, _ ourTime: Int64) -> PushReaction.Act {
        if let body = rule.body {
            return Self.answer(rule.status, Array(body.utf8), at: ourTime, type: "text/html", rule.retryAfter)
        }
        guard rule.status == 200 else {
            let error = OAuthError(rule.reason ?? "internal_failure", "as the rule says", status: rule.status)
            return Self.answer(rule.status, error.json, at: ourTime, rule.retryAfter)
        }
        let issued = book.issue(at: now)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("access_token")
        writer.string(issued.token)
        writer.key("expires_in")
        writer.integer(issued.lifetime)
        writer.key("token_type")
        writer.string("Bearer")
        writer.endObject()
        return Self.answer(200, writer.bytes, at: ourTime)
    }

    private static func answer(
        _ status: Int,
        _ body: [UInt8],
        at now: Int64,
        type: String = "application/json; charset=utf-8",
        _ retryAfter: String? = nil
    ) -> PushReaction.Act {
        var fields = ["content-type": type, "date": date(now)]
        fields["retry-after"] = retryAfter
        return .answer(status: status, fields: fields, body: body)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` from milliseconds since 1970.
    private static func date(_ now: Int64) -> String {
        var seconds = time_t(now / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let length = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// What the token endpoint says about a request that it refuses (RFC 6749, 5.2).
struct OAuthError: Error, Equatable {
    let code: String
    let words: String
    var status = 400

    init(_ code: String, _ words: String, status: Int = 400) {
        self.code = code
        self.words = words
        self.status = status
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("error")
        writer.string(code)
        writer.key("error_description")
        writer.string(words)
        writer.endObject()
        return writer.bytes
    }
}
