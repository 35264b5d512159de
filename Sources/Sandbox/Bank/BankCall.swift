// SPDX-License-Identifier: Apache-2.0

import JSON

/// One call that the bank stand-in got.
public struct BankCall: Sendable, Equatable {
    /// One field of a call.
    public struct Field: Sendable, Equatable {
        /// Its name.
        public let name: String
        /// Its text.
        public let value: String

        /// Describes a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// When, in milliseconds since 1970.
    public var at: Int64
    /// The name of the call's element.
    public var operation: String
    /// The namespace of it.
    public var namespace: String
    /// The fields, in the order in which they came.
    public var fields: [Field]
    /// What was answered: a result, `Fault`, or an HTTP status.
    public var answer = ""

    /// The text of the first field of this name.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("at")
        writer.integer(at)
        writer.key("operation")
        writer.string(operation)
        writer.key("namespace")
        writer.string(namespace)
        writer.key("fields")
        writer.beginArray()
        for field in fields {
            writer.beginObject()
            writer.key("name")
            writer.string(field.name)
            writer.key("value")
            writer.string(field.value)
            writer.endObject()
        }
        writer.endArray()
        writer.key("answer")
        writer.string(answer)
        writer.endObject()
    }
}
