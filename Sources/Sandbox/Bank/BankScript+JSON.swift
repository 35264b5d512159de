// SPDX-License-Identifier: Apache-2.0

import JSON

extension BankScript {
    /// Reads a script from the control interface; what is wrong is among the fields' problems.
    init(_ fields: inout JSONFields) {
        authorized = Set(fields.strings("authorized") ?? [])
        code = fields.string("code") ?? "123456"
        unknownClients = Set(fields.strings("unknownClients") ?? [])
        refused = Set(fields.strings("refused") ?? [])
        failures = fields.objects("failures") { Failure(&$0) } ?? []
        isDown = fields.bool("down") ?? false
        delay = fields.integer("delay", in: 0...600_000).map(Int.init) ?? 0
        fields.refuseUnknown()
    }

    /// Writes the script as it is read.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("authorized")
        writer.strings(authorized.sorted())
        writer.key("code")
        writer.string(code)
        writer.key("unknownClients")
        writer.strings(unknownClients.sorted())
        writer.key("refused")
        writer.strings(refused.sorted())
        writer.key("failures")
        writer.beginArray()
        for failure in failures { failure.write(to: &writer) }
        writer.endArray()
        writer.key("down")
        writer.bool(isDown)
        writer.key("delay")
        writer.integer(delay)
        writer.endObject()
    }
}

extension BankScript.Failure {
    fileprivate init(_ fields: inout JSONFields) {
        operation = fields.string("operation")
        if operation == "*" { operation = nil }
        status = fields.integer("status", in: 200...599).map(Int.init) ?? 500
        fault = fields.string("fault")
        if let fault, !["Client", "Server"].contains(fault) { fields.problem("fault", "must be Client or Server") }
        times = fields.integer("times", in: 1...1_000_000_000).map(Int.init)
        fields.refuseUnknown()
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("operation")
        writer.string(operation ?? "*")
        writer.key("status")
        writer.integer(status)
        writer.text("fault", fault)
        writer.number("times", times.map(Int64.init))
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func strings(_ texts: [String]) {
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}
