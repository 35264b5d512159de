// SPDX-License-Identifier: Apache-2.0

/// Reads the values of fields.
///
/// XML Schema's blanks around a number or a boolean do not count.
enum FieldText {
    /// Cuts blanks and invisible characters at both ends of an identifier, which copying from documents leaves there.
    static func trimmed(_ text: String) -> String {
        guard let first = text.utf8.first, let last = text.utf8.last else { return text }
        // The usual case: printable ASCII at both ends.
        if (0x21...0x7e).contains(first), (0x21...0x7e).contains(last) { return text }
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !isBlank($0) }),
            let end = scalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(scalars[start...end])
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0a, 0x0d, 0x20, 0xa0, 0xfeff, 0x200b...0x200d, 0x2060: true
        default: false
        }
    }

    /// An identifier: trimmed, not empty, at most so many bytes.
    static func identifier(_ text: String, _ field: Field, limit: Int = 255) throws(SOAPFault) -> String {
        let text = trimmed(text)
        guard !text.isEmpty else { throw .client("\(field.path) is empty") }
        guard text.utf8.count <= limit else { throw .client("\(field.path) is longer than \(limit) bytes") }
        return text
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
