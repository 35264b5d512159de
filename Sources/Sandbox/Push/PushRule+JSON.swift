// SPDX-License-Identifier: Apache-2.0

import JSON

extension PushRule {
    /// Reads a rule from the control interface; what is wrong is among the fields' problems.
    init(_ fields: inout JSONFields) {
        token = fields.string("token")
        if token == "*" { token = nil }
        effect = fields.choice("effect", Effect.self) ?? .answer
        status = fields.integer("status", in: 200...599).map(Int.init) ?? 200
        reason = fields.string("reason")
        timestamp = fields.integer("timestamp")
        retryAfter = fields.string("retryAfter")
        body = fields.string("body")
        delay = fields.integer("delay", in: 0...600_000).map(Int.init) ?? 0
        streamLimit = fields.integer("streamLimit", in: 0...100_000).map(Int.init)
        report = fields.choice("report", Report.self)
        times = fields.integer("times", in: 1...1_000_000_000).map(Int.init)
        every = fields.integer("every", in: 1...1_000_000_000).map(Int.init) ?? 1
        after = fields.integer("after", in: 0...1_000_000_000).map(Int.init) ?? 0
        connections = fields.integer("connections", in: 1...1_000_000_000).map(Int.init)
        isPerConnection = fields.bool("perConnection") ?? false
        lasting = fields.integer("lasting", in: 1...86_400_000)
        fields.refuseUnknown()
    }

    /// Writes the rule as it is read.
    func write(to writer: inout JSONWriter, service: SandboxService? = nil) {
        writer.beginObject()
        writer.text("service", service?.rawValue)
        writer.key("token")
        writer.string(token ?? "*")
        writer.key("effect")
        writer.string(effect.rawValue)
        writer.key("status")
        writer.integer(status)
        writer.text("reason", reason)
        writer.number("timestamp", timestamp)
        writer.text("retryAfter", retryAfter)
        writer.text("body", body)
        writer.number("delay", delay == 0 ? nil : Int64(delay))
        writer.number("streamLimit", streamLimit.map(Int64.init))
        writer.text("report", report?.rawValue)
        writer.number("times", times.map(Int64.init))
        writer.number("every", every == 1 ? nil : Int64(every))
        writer.number("after", after == 0 ? nil : Int64(after))
        writer.number("connections", connections.map(Int64.init))
        if isPerConnection {
            writer.key("perConnection")
            writer.bool(true)
        }
        writer.number("lasting", lasting)
        writer.endObject()
    }
}

extension JSONFields {
    /// Reads one of several names.
    fileprivate mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ key: String,
        _ type: Value.Type
    ) -> Value? {
        guard let name = string(key) else { return nil }
        if let known = Value(rawValue: name) { return known }
        problem(key, "must be one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        return nil
    }
}

extension JSONWriter {
    /// Writes a member where there is a value.
    mutating func text(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        self.key(key)
        string(value)
    }

    /// Writes a member where there is a value.
    mutating func number(_ key: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.key(key)
        integer(value)
    }
}
