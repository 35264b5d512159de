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
        guard text.utf8.count <= limit else { throw .client("\(field.path) is longer than \(limit) bytes") }
        return text
    }

    /// Users, without the empty elements that some programs put between them.
    static func recipients(_ texts: [String], _ field: Field) throws(SOAPFault) -> [Recipient] {
        let mayBeEmpty = texts.contains { !trimmed($0).isEmpty }
        var recipients: [Recipient] = []
        recipients.reserveCapacity(texts.count)
        for text in texts {
            let isNone = mayBeEmpty && trimmed(text).isEmpty
            if !isNone { recipients.append(Recipient(RecipientID(try identifier(text, field)))) }
        }
        return recipients
    }

    /// The text of an optional field; empty, or with the question mark of SoapUI's samples, it counts as left out.
    static func given(_ text: String?) -> String? {
        guard let text else { return nil }
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
