// SPDX-License-Identifier: Apache-2.0

import Bus
import Unicode

/// Reads the values of fields.
///
/// XML Schema's blanks around a number or a boolean do not count.
enum FieldText {
    /// An identifier: trimmed, not empty, at most so many bytes.
    static func identifier(
        _ text: String,
        _ field: Field,
        limit: Int = NotificationRules.longestIdentifier
    ) throws(SOAPFault) -> String {
        let text = trimmed(text)
        guard !text.isEmpty else { throw .client("\(field.path) is empty") }
        try check(text, field, limit: limit)
        return text
    }

    private static func check(_ text: String, _ field: Field, limit: Int) throws(SOAPFault) {
        guard text.utf8.count <= limit else { throw .client("\(field.path) is longer than \(limit) bytes") }
    }

    /// Users, without the empty elements that some programs put between them.
    static func recipients(_ texts: [String], _ field: Field) throws(SOAPFault) -> [Recipient] {
        var recipients: [Recipient] = []
        recipients.reserveCapacity(texts.count)
        for text in texts {
            let text = trimmed(text)
            if text.isEmpty { continue }
            try check(text, field, limit: NotificationRules.longestIdentifier)
            recipients.append(Recipient(RecipientID(text)))
        }
        if recipients.isEmpty, !texts.isEmpty { throw .client("\(field.path) is empty") }
        return recipients
    }

    /// The text of an optional field; empty, or with the question mark of SoapUI's samples, it counts as left out.
    static func given(_ text: String?) -> String? {
        guard let text, let first = text.utf8.first else { return nil }
        // Nearly always: a visible character other than the mark, and nothing needs trimming.
        if (0x21...0x7e).contains(first), first != UInt8(ascii: "?") { return text }
        let bare = trimmed(text)
        return bare.isEmpty || bare == "?" ? nil : text
    }

    /// A whole number within bounds.
    static func integer(_ text: String, _ field: Field, in range: ClosedRange<Int>) throws(SOAPFault) -> Int {
        guard let number = Int(trimmed(text)), range.contains(number) else {
            throw .client("\(field.path) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A boolean in one of XML Schema's four forms.
    static func boolean(_ text: String, _ field: Field) throws(SOAPFault) -> Bool {
        switch trimmed(text) {
        case "true", "1": return true
        case "false", "0": return false
        default: throw .client("\(field.path) must be true or false")
        }
    }
}
