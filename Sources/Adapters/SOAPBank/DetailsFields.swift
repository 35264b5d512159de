// SPDX-License-Identifier: Apache-2.0

import Bus
import Unicode

/// The details of a notification as they came: a map, a structure, or something of both.
struct DetailsFields {
    var entries: [NotificationFields.Entry] = []
    var tags: [NotificationFields.Entry] = []
    var hasAmount = false
    var name: String?
    var logo: String?
    var description: String?
    var currency: String?
    var fxAmount: String?

    /// The details; `nil` where there is nothing in them.
    func details() throws(SOAPFault) -> PushDetails? {
        var details = PushDetails(
            name: FieldText.given(name),
            logoURL: FieldText.given(logo),
            description: FieldText.given(description)
        )
        var (currency, fxAmount) = (FieldText.given(currency), FieldText.given(fxAmount))
        for (key, value) in entries {
            switch key {
            case "name": details.name = value ?? details.name
            case "logo_url", "logoUrl": details.logoURL = value ?? details.logoURL
            case "push_description", "pushDescription": details.description = value ?? details.description
            case "currency": currency = value ?? currency
            case "fxAmount": fxAmount = value ?? fxAmount
            default: details.setTag(key, value)
            }
        }
        for (key, value) in tags { details.setTag(key, value) }
        details.logoURL = details.logoURL.map(trimmed)
        details.amount = try Self.amount(currency, fxAmount)
        return details.normalized
    }

    private static func amount(_ currency: String?, _ fxAmount: String?) throws(SOAPFault) -> PushDetails.Amount? {
        var currency = currency.map(trimmed) ?? ""
        var sum = fxAmount.map(trimmed) ?? ""
        if currency.isEmpty, sum.isEmpty { return nil }
        // The documents that banks program from have the two exchanged in their example.
        if Int64(currency) != nil, Int64(sum) == nil, !sum.isEmpty, sum.allSatisfy(\.isLetter) {
            swap(&currency, &sum)
        }
        guard !currency.isEmpty else { throw .client("\(Field.currency.path) is missing") }
        guard !sum.isEmpty else { throw .client("\(Field.fxAmount.path) is missing") }
        guard let number = Int64(sum) else { throw .client("\(Field.fxAmount.path) must be a whole number") }
        return PushDetails.Amount(currency: currency, fxAmount: number)
    }
}
