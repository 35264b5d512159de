// SPDX-License-Identifier: Apache-2.0

import JSON

extension PushRecord {
    /// Writes the record for the control interface; a body that is no JSON becomes a text.
    func write(to writer: inout JSONWriter, service: SandboxService) {
        writer.beginObject()
        writer.key("service")
        writer.string(service.rawValue)
        writer.number("at", at)
        writer.number("connection", Int64(connection))
        writer.text("token", token)
        writer.number("status", Int64(status))
        writer.text("reason", reason.isEmpty ? nil : reason)
        writer.key("headers")
        writer.beginObject()
        for header in headers {
            writer.key(text: header.name)
            writer.string(header.value)
        }
        writer.endObject()
        writer.key("body")
        if (try? JSONValue(parsing: body)) != nil {
            writer.raw(body)
        } else {
            writer.string(String(decoding: body, as: UTF8.self))
        }
        writer.endObject()
    }
}
