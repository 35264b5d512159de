// SPDX-License-Identifier: Apache-2.0

import Bus
import Unicode

/// The fields of a `sendNotification` request as they came, in any order.
struct NotificationFields {
    /// A key and a value of a map; the value may be missing.
    typealias Entry = (key: String, value: String?)

    var hasContent = false
    var hasDetails = false
    var hasPushDetails = false
    var id: String?
    var recipients: [String] = []
    var timeout: String?
    var perishable: String?
    var priority: String?
    var collapseID: String?
    var badge: String?
    var sound: String?
    var text: String?
    var type: String?
    var target: String?
    var contentDetails: [Entry] = []
    var details = DetailsFields()

    /// The notification, if nothing is missing or wrong.
    func notification() throws(SOAPFault) -> Notification {
        let id = try FieldText.identifier(required(id, .id), .id)
        var recipients: [Recipient] = []
        recipients.reserveCapacity(self.recipients.count)
        for recipient in self.recipients {
            recipients.append(Recipient(RecipientID(try FieldText.identifier(recipient, .recipient))))
        }
        guard !recipients.isEmpty else { throw .client("\(Field.recipient.path) is missing") }
        var notification = Notification(
            id: NotificationID(id),
            recipients: recipients,
            timeout: try FieldText.integer(required(timeout, .timeout), .timeout, in: NotificationRules.timeouts),
            content: try content()
        )
        notification.details = try details.details()
        if let perishable { notification.isPerishable = try FieldText.boolean(perishable, .perishable) }
        if let priority {
            notification.priority = try FieldText.integer(priority, .priority, in: NotificationRules.priorities)
        }
        if let collapseID, !trimmed(collapseID).isEmpty {
            notification.collapseID = try FieldText.identifier(collapseID, .collapseID)
        }
        return notification
    }

    private func content() throws(SOAPFault) -> PushContent {
        guard hasContent else { throw .client("notification.pushContent is missing") }
        let text = try required(text, .text)
        guard !text.isEmpty else { throw .client("\(Field.text.path) is empty") }
        let known = trimmed(try required(type, .type))
        guard !known.isEmpty else { throw .client("\(Field.type.path) is empty") }
        guard let type = NotificationType(rawValue: known) else {
            throw .client("\(Field.type.path) must be one of \(NotificationRules.typeNames)")
        }
        return PushContent(
            badge: try FieldText.integer(required(badge, .badge), .badge, in: NotificationRules.badges),
            sound: sound.flatMap { trimmed($0).isEmpty ? nil : $0 } ?? PushContent.defaultSound,
            text: text,
            type: type,
            target: try target(of: type)
        )
    }

    /// The target, from its element or from the map; `nil`, empty and absent are the same.
    ///
    /// Given in both places it must be the same: one of two screens, or amounts, would be the wrong one.
    private func target(of type: NotificationType) throws(SOAPFault) -> String? {
        let fromMap = contentDetails.last { $0.key == "target" }?.value
        let given = [target, fromMap].compactMap { $0.map(trimmed) }.filter { !NotificationRules.isNone(target: $0) }
        guard let text = given.first else {
            if type.requiresTarget { throw .client("\(Field.target.path) is missing; \(type.rawValue) needs one") }
            return nil
        }
        guard given.allSatisfy({ $0.utf8.elementsEqual(text.utf8) }) else {
            throw .client("\(Field.target.path) is given twice, and not the same")
        }
        return try FieldText.identifier(text, .target, limit: NotificationRules.longestTarget)
    }

    private func required(_ value: String?, _ field: Field) throws(SOAPFault) -> String {
        guard let value else { throw .client("\(field.path) is missing") }
        return value
    }
}
