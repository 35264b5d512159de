// SPDX-License-Identifier: Apache-2.0

/// What an SMSC said of a message (Kannel's `%A`), as far as an operator may see it.
///
/// Only the parts that SMPP 3.4 defines are taken out (`stat:` and `err:` of a receipt, appendix B; the name of a
/// command's status): the rest of a receipt repeats the message's text.
struct SMSCAnswer {
    private static let longestAnswer = 1_024
    /// A status is eight hexadecimal digits, a state seven letters, an error fewer digits than a phone number.
    private static let longestWord = 10
    private static let mostWords = 6

    let summary: String

    init(_ answer: String) {
        let answer = answer.prefix(Self.longestAnswer)
        // NACK/0x0000000b/Invalid Destination Address
        if answer.hasPrefix("NACK/0x") {
            let parts = answer.split(separator: "/")
            let words = parts.dropFirst(2).first?.split(separator: " ") ?? []
            let name = words.map { Self.word($0, Self.isLetter) }.filter { !$0.isEmpty }.prefix(Self.mostWords)
            let status = Self.word(parts[1]) { Self.isLetter($0) || Self.isDigit($0) }
            summary = ([status] + name).joined(separator: " ")
        } else {
            // id:IIIIIIIIII sub:SSS dlvrd:DDD submit date:YYMMDDhhmm done date:YYMMDDhhmm stat:DDDDDDD err:E text: . . .
            let fields = answer.split(separator: " ").prefix { !$0.hasPrefix("text:") && !$0.hasPrefix("Text:") }
            summary = ["stat:", "err:"].compactMap { Self.field($0, in: fields) }.joined(separator: " ")
        }
    }

    private static func field(_ name: String, in fields: ArraySlice<Substring>) -> String? {
        guard let field = fields.first(where: { $0.hasPrefix(name) }) else { return nil }
        let value = word(field.dropFirst(name.count)) { isLetter($0) || isDigit($0) }
        return value.isEmpty ? nil : name + value
    }

    private static func word(_ text: Substring, _ isKept: (UInt8) -> Bool) -> String {
        String(decoding: text.utf8.lazy.filter(isKept).prefix(longestWord), as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
}
