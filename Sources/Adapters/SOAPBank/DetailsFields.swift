// SPDX-License-Identifier: Apache-2.0

import Bus

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
        var details = PushDetails(name: name, logoURL: logo, description: description)
        var (currency, fxAmount) = (currency, fxAmount)
        for (key, value) in entries {
            switch key {
            case "name": details.name = value ?? details.name
            case "logo_url", "logoUrl": details.logoURL = value ?? details.logoURL
            case "push_description", "pushDescription": details.description = value ?? details.description
            case "currency": currency = value ?? currency
            case "fxAmount": fxAmount = value ?? fxAmount
            default: Self.set(key, value, in: &details.tags)
            }
        }
        for (key, value) in tags { Self.set(key, value, in: &details.tags) }
        details.logoURL = details.logoURL.map(FieldText.trimmed)
        if details.name?.isEmpty == true { details.name = nil }
        if details.logoURL?.isEmpty == true { details.logoURL = nil }
        if details.description?.isEmpty == true { details.description = nil }
        details.amount = try Self.amount(currency, fxAmount)
        return details == PushDetails() ? nil : details
    }

    /// A key that comes twice has its last value, as with every map the field's clients write.
    private static func set(_ key: String, _ value: String?, in tags: inout [PushDetails.Tag]) {
        let tag = PushDetails.Tag(key: key, value: value)
        // Few tags: a search is cheaper than a table. Above that a later tag of the same key is simply added.
        if tags.count <= 64, let index = tags.firstIndex(where: { $0.key == key }) {
            tags[index] = tag
        } else {
            tags.append(tag)
        }
    }

    private static func amount(_ currency: String?, _ fxAmount: String?) throws(SOAPFault) -> PushDetails.Amount? {
        var currency = currency.map(FieldText.trimmed) ?? ""
        var sum = fxAmount.map(FieldText.trimmed) ?? ""
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
