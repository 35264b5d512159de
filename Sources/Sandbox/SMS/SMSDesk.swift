// SPDX-License-Identifier: Apache-2.0

/// A gateway with Kannel's `sendsms` interface and no network (user guide 1.4.5, "SMS Push").
struct SMSDesk: PushDesk {
    static let username = "busd"
    static let password = "sandbox"

    /// A number with and without its `+` is the same; records name it without.
    var rules = PushRules(form: Self.digits(of:))
    var records: RecordRing<PushRecord>
    private var lastMessage = 0

    init(capacity: Int) { records = RecordRing(capacity: capacity) }

    /// The request's headers are its parameters under their names in a query, its body is the text.
    mutating func react(to request: PushRequest, on connection: UInt64, at now: Int64) -> PushReaction {
        let number = Self.digits(of: request.header("to") ?? "")
        var label = (status: 202, reason: "")
        let reaction: PushReaction
        if let refusal = Self.refusal(of: request) {
            label = (refusal.status, refusal.text)
            reaction = PushReaction(act: Self.answer(refusal.status, refusal.text))
        } else {
            reaction = meet(request, rules.take(for: number, at: now), &label)
        }
        records.append(
            PushRecord(
                at: now,
                connection: Int(connection),
                token: number,
                headers: request.headers.filter { !["username", "password"].contains($0.name) },
                body: request.body,
                status: label.status,
                reason: label.reason
            )
        )
        return reaction
    }

    private mutating func meet(
        _ request: PushRequest,
        _ rule: PushRule?,
        _ label: inout (status: Int, reason: String)
    ) -> PushReaction {
        guard let rule else {
            var reaction = PushReaction(act: Self.answer(202, "0: Accepted for delivery"))
            reaction.calls = calls(for: request, .delivered)
            return reaction
        }
        label = rule.label
        var reaction = rule.reaction {
            let text = rule.body ?? rule.reason ?? Self.text(for: rule.status)
            return Self.answer(rule.status, text, retryAfter: rule.retryAfter)
        }
        // What is never answered may have been sent all the same.
        let isSent = rule.effect == .silence ? rule.report != nil : (200...299).contains(rule.status)
        if isSent { reaction.calls = calls(for: request, rule.report ?? .delivered) }
        return reaction
    }

    /// The addresses that the gateway calls to report what became of a message, in order.
    private mutating func calls(for request: PushRequest, _ report: PushRule.Report) -> [String] {
        lastMessage += 1
        guard let address = request.header("dlr-url"), let mask = Int(request.header("dlr-mask") ?? "") else {
            return []
        }
        let id = String(lastMessage, radix: 16, uppercase: true)
        return report.steps(message: id).filter { mask & $0.kind != 0 }.map { step in
            address.replacing("%d", with: "\(step.kind)").replacing("%A", with: Self.encoded(step.answer))
                .replacing("%F", with: id)
        }
    }

    private static func digits(of number: String) -> String {
        number.hasPrefix("+") ? String(number.dropFirst()) : number
    }

    // MARK: What Kannel says

    private static func refusal(of request: PushRequest) -> (status: Int, text: String)? {
        guard request.header("username") == username, request.header("password") == password else {
            return (403, "Authorization failed for sendsms")
        }
        guard let number = request.header("to"), !number.isEmpty else {
            return (400, "Missing receiver number, rejected")
        }
        let digits = number.utf8.drop { $0 == UInt8(ascii: "+") }
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return (400, "Number(s) has/have been denied by white- and/or black-lists.")
        }
        guard ["0", "1", "2"].contains(request.header("coding") ?? "0") else {
            return (400, "Coding field misformed, rejected")
        }
        guard ["UTF-8", "utf-8"].contains(request.header("charset") ?? "UTF-8") else {
            return (400, "Charset or body misformed, rejected")
        }
        return nil
    }

    private static func text(for status: Int) -> String {
        switch status {
        case 200...299: "0: Accepted for delivery"
        case 403: "Authorization failed for sendsms"
        case 404: "Unknown request."
        case 503: "Temporal failure, try again later."
        default: "as the rule says"
        }
    }

    private static func answer(_ status: Int, _ text: String, retryAfter: String? = nil) -> PushReaction.Act {
        var fields: [String: String] = [:]
        fields["retry-after"] = retryAfter
        return .answer(status: status, fields: fields, body: Array(text.utf8))
    }

    /// Percent-encodes what Kannel's `%A` may hold here: letters, digits, `/`, `:` and blanks.
    private static func encoded(_ text: String) -> String {
        text.replacing("/", with: "%2F").replacing(":", with: "%3A").replacing(" ", with: "+")
    }
}

extension PushRule.Report {
    /// What an SMSC behind Kannel says one after the other: the bit of `dlr-mask`, and the words for `%A`.
    fileprivate func steps(message id: String) -> [(kind: Int, answer: String)] {
        let taken = (kind: 8, answer: "ACK/")
        return switch self {
        case .delivered: [taken, (1, "id:\(id) sub:001 dlvrd:001 stat:DELIVRD err:000")]
        case .undeliverable: [taken, (2, "id:\(id) sub:001 dlvrd:000 stat:UNDELIV err:011")]
        case .refused: [(16, "NACK/0x0000000b/Invalid Destination Address")]
        case .none: [taken]
        }
    }
}
