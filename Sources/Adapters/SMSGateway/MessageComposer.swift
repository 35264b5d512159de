// SPDX-License-Identifier: Apache-2.0

import Bus

/// Makes text messages of deliveries, or says why there can be none.
struct MessageComposer {
    /// Why a delivery cannot be a text message; without its text and its number.
    struct Fault: Error, Equatable {
        let reason: String
    }

    let mostParts: Int
    let country: Country?

    func compose(_ delivery: Delivery) -> Result<TextMessage, Fault> {
        guard case .phone(let written) = delivery.address else {
            return .failure(Fault(reason: "the address is no phone number"))
        }
        guard let number = PhoneNumber(written, country: country) else {
            return .failure(Fault(reason: "the phone number cannot be one: E.164 wants a country code"))
        }
        let text = Self.text(of: delivery.notification.notification.content)
        // Kannel would send it, empty.
        guard text.contains(where: { !$0.isWhitespace }) else { return .failure(Fault(reason: "there is no text")) }
        guard text.utf8.count <= TextMessage.mostBytes(parts: mostParts) else { return .failure(tooLong(nil)) }
        let message = TextMessage(text, to: number)
        // Kannel would send the first of them and drop the rest.
        return message.parts <= mostParts ? .success(message) : .failure(tooLong(message.parts))
    }

    private func tooLong(_ parts: Int?) -> Fault {
        let size = parts.map { "takes \($0) parts" } ?? "takes many more parts"
        return Fault(reason: "the text \(size), and 'max_parts' allows \(mostParts)")
    }

    /// What the push says, and its code or address where the text does not hold it.
    private static func text(of content: PushContent) -> String {
        var text = content.text
        if let target = content.target, !target.isEmpty, !text.contains(target) { text += " " + target }
        let isBad = { (scalar: Unicode.Scalar) in
            scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\r"
        }
        guard text.unicodeScalars.contains(where: isBad) else { return text }
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { clean.append(isBad(scalar) ? " " : scalar) }
        return String(clean)
    }
}
