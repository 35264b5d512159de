// SPDX-License-Identifier: Apache-2.0

package import Bus
package import JSON
import Unicode

/// What is wrong with a notification's JSON.
package struct MisshapenNotification: Error {
    package let fields: [Refusal.Field]

    package init(fields: [Refusal.Field]) { self.fields = fields }
}

extension Notification {
    /// Reads a notification in the shape of the REST API.
    ///
    /// - Throws: the fields at fault, each with what is wrong.
    package init(json body: JSONValue) throws(MisshapenNotification) {
        let misshapen = Shape.object(NotificationShapes.sent).problems(in: body)
        guard misshapen.isEmpty else { throw MisshapenNotification(fields: misshapen) }
        self.init(checked: body)
        // What a schema does not say, for example that a target named "nil" is none.
        let problems = problems
        guard problems.isEmpty else { throw MisshapenNotification(fields: problems) }
    }

    /// Takes over a body that was found to be as it must be.
    private init(checked body: JSONValue) {
        let recipients = body["recipients"]?.array ?? []
        let collapseID = body["collapseId"]?.string.map(trimmed) ?? ""
        self.init(
            id: NotificationID(trimmed(body["id"].text)),
            recipients: recipients.map { Recipient(RecipientID(trimmed($0.string ?? ""))) },
            timeout: body["timeout"].number,
            content: PushContent(checked: body["pushContent"]),
            details: body["pushDetails"]?.object == nil ? nil : PushDetails(checked: body["pushDetails"]).normalized,
            isPerishable: body["perishable"]?.bool ?? false,
            priority: body["priority"]?.wholeNumber.map(Int.init) ?? Notification.defaultPriority,
            collapseID: collapseID.isEmpty ? nil : collapseID
        )
    }
}

extension PushContent {
    fileprivate init(checked value: JSONValue?) {
        let sound = value?["sound"]?.string ?? ""
        let target = trimmed(value?["target"]?.string ?? "")
        self.init(
            badge: value?["badge"].number ?? 0,
            sound: trimmed(sound).isEmpty ? PushContent.defaultSound : sound,
            text: (value?["text"]).text,
            type: value.type,
            target: NotificationRules.isNone(target: target) ? nil : target
        )
        hasNilTarget = target == "nil"
    }
}

extension PushDetails {
    fileprivate init(checked value: JSONValue?) {
        self.init(
            name: value?["name"]?.string,
            logoURL: (value?["logoUrl"]?.string).map(trimmed),
            description: value?["pushDescription"]?.string
        )
        for tag in value?["tags"]?.array ?? [] { setTag(tag["key"].text, tag["value"]?.string) }
        if let sum = value?["amount"], let fxAmount = sum["fxAmount"]?.wholeNumber {
            amount = Amount(currency: trimmed(sum["currency"].text), fxAmount: fxAmount)
        }
    }
}

/// Members that were found to be there.
extension JSONValue? {
    fileprivate var text: String { self?.string ?? "" }
    fileprivate var number: Int { self?.wholeNumber.map { Int($0) } ?? 0 }
    fileprivate var type: NotificationType { NotificationType(rawValue: self?["type"]?.string ?? "") ?? .universal }
}
