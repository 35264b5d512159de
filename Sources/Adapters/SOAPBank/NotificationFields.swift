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
        let recipients = try FieldText.recipients(self.recipients, .recipient)
        guard !recipients.isEmpty else { throw .client("\(Field.recipient.path) is missing") }
        var notification = Notification(
            id: NotificationID(id),
            recipients: recipients,
            timeout: try FieldText.integer(required(timeout, .timeout), .timeout, in: NotificationRules.timeouts),
            content: try content()
        )
        notification.details = try details.details()
        if let perishable = FieldText.given(perishable) {
            notification.isPerishable = try FieldText.boolean(perishable, .perishable)
        }
        if let priority = FieldText.given(priority) {
            notification.priority = try FieldText.integer(priority, .priority, in: NotificationRules.priorities)
        }
        if let collapseID = FieldText.given(collapseID) {
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
        var content = PushContent(
            badge: try FieldText.integer(required(badge, .badge), .badge, in: NotificationRules.badges),
            sound: FieldText.given(sound) ?? PushContent.defaultSound,
            text: text,
            type: type,
            target: nil
        )
        let fromMap = contentDetails.last { $0.key == "target" }?.value
        let targets = [target, fromMap].compactMap(FieldText.given).map(trimmed)
        content.target = try Self.target(of: type, targets)
        content.hasNilTarget = content.target == nil && !targets.isEmpty
        return content
    }

    /// The target, from its element or from the map; `nil`, empty and absent are the same.
    ///
    /// Given in both places it must be the same: one of two screens, or amounts, would be the wrong one.
    private static func target(of type: NotificationType, _ targets: [String]) throws(SOAPFault) -> String? {
        let given = targets.filter { !NotificationRules.isNone(target: $0) }
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
