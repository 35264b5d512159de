// SPDX-License-Identifier: Apache-2.0

import XML

/// Writes down what it hears: `(name` or `({namespace}name`, text, `)`.
final class Recorder: XMLHandler {
    var events = ""
    var attribute: String?

    func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
        let namespace = name.namespace.isEmpty ? "" : "{\(text(of: name.namespace))}"
        events += "(\(namespace)\(text(of: name.local))"
        if let value = attributes.value("a") { events += "[\(text(of: value))]" }
        if let value = attributes.value("a", namespace: "urn:q") { events += "[q \(text(of: value))]" }
        events += " "
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) { events += text(of: bytes) }

    func endElement() { events += ")" }

    private func text(of bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension XMLParser {
    func events(of document: [UInt8], charset: String? = nil) throws -> String {
        let recorder = Recorder()
        try parse(document, charset: charset, handler: recorder)
        return recorder.events
    }
}

/// Numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
