// SPDX-License-Identifier: Apache-2.0

/// What an SMSC said of a message (Kannel's `%A`), as far as an operator may see it.
///
/// Only the parts that SMPP 3.4 defines are taken out (`stat:` and `err:` of a receipt, appendix B; the name of a
/// command's status): the rest of a receipt repeats the message's text.
struct SMSCAnswer {
    private static let longestAnswer = 1_024
    private static let longestWord = 20
    /// A status is `0x` and eight hexadecimal digits; an error has fewer digits than a phone number.
    private static let longestCode = 10
    private static let mostWords = 6

    let summary: String

    init(_ answer: String) {
        let answer = answer.prefix(Self.longestAnswer)
        // NACK/0x0000000b/Invalid Destination Address
        if answer.hasPrefix("NACK/0x") {
            let parts = answer.split(separator: "/")
            let words = parts.dropFirst(2).first?.split(separator: " ") ?? []
            let name = words.map(Self.letters(of:)).filter { !$0.isEmpty }.prefix(Self.mostWords)
            let status = Self.code(parts[1])
            summary = ([status] + name).joined(separator: " ")
        } else {
            // id:IIIIIIIIII sub:SSS dlvrd:DDD submit date:YYMMDDhhmm done date:YYMMDDhhmm stat:DDDDDDD err:E text: . . .
            let fields = answer.split(separator: " ").prefix { !$0.hasPrefix("text:") && !$0.hasPrefix("Text:") }
            summary = ["stat:", "err:"].compactMap { Self.field($0, in: fields) }.joined(separator: " ")
        }
    }

    private static func field(_ name: String, in fields: ArraySlice<Substring>) -> String? {
        guard let field = fields.first(where: { $0.hasPrefix(name) }) else { return nil }
        let value = code(field.dropFirst(name.count))
        return value.isEmpty ? nil : name + value
    }

    private static func letters(of text: Substring) -> String {
        String(decoding: text.utf8.lazy.filter(isLetter).prefix(longestWord), as: UTF8.self)
    }

    private static func code(_ text: Substring) -> String {
        let kept = text.utf8.lazy.filter { isLetter($0) || (0x30...0x39).contains($0) }
        return String(decoding: kept.prefix(longestCode), as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
}
