// SPDX-License-Identifier: Apache-2.0

/// What an SMSC said of a message (Kannel's `%A`), as far as an operator may see it.
///
/// Only what SMPP 3.4 defines is taken out (`stat:` and `err:` of a receipt, appendix B; the number of a command's
/// status, 5.1.3): the rest of a receipt repeats the message's text.
struct SMSCAnswer {
    private static let longestAnswer = 1_024
    /// An error has three characters: fewer than a code in a text message.
    private static let longestError = 3
    /// The states of a message, and what SMSCs write beside them.
    private static let states: Set<String> = [
        "ENROUTE", "DELIVRD", "EXPIRED", "DELETED", "UNDELIV", "ACCEPTD", "UNKNOWN", "REJECTD", "SKIPPED", "FAILED",
    ]
    private static let names: [UInt32: String] = [
        0x01: "Invalid Message Length", 0x08: "System Error", 0x0a: "Invalid Source Address",
        0x0b: "Invalid Destination Address", 0x0c: "Invalid Message ID", 0x0d: "Bind Failed",
        0x14: "Message Queue Full", 0x45: "Submit Failed", 0x58: "Throttling Error",
        0x61: "Invalid Scheduled Delivery Time", 0x62: "Invalid Validity Period",
    ]

    let summary: String

    init(_ answer: String) {
        let answer = answer.prefix(Self.longestAnswer)
        // NACK/0x0000000b/Invalid Destination Address
        if answer.hasPrefix("NACK/0x") {
            summary = Self.status(answer.dropFirst("NACK/0x".count).prefix { $0 != "/" })
        } else {
            // id:IIIIIIIIII sub:SSS dlvrd:DDD submit date:YYMMDDhhmm done date:YYMMDDhhmm stat:DDDDDDD err:E text: . . .
            let fields = answer.split(separator: " ").prefix { !$0.hasPrefix("text:") && !$0.hasPrefix("Text:") }
            let state = Self.value("stat:", in: fields).flatMap { Self.states.contains($0) ? "stat:\($0)" : nil }
            let error = Self.value("err:", in: fields).flatMap { Self.isError($0) ? "err:\($0)" : nil }
            summary = [state, error].compactMap(\.self).joined(separator: " ")
        }
    }

    /// A command's status, which is eight hexadecimal digits, with its name.
    private static func status(_ digits: Substring) -> String {
        guard digits.count == 8, digits.first != "+", let status = UInt32(digits, radix: 16), status < 0x1000 else {
            return ""
        }
        return "0x\(digits)" + (names[status].map { " \($0)" } ?? "")
    }

    private static func value(_ name: String, in fields: ArraySlice<Substring>) -> String? {
        fields.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
    }

    private static func isError(_ text: String) -> Bool {
        (1...longestError).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20) }
    }
}
