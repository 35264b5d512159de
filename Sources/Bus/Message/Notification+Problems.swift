// SPDX-License-Identifier: Apache-2.0

extension Notification {
    /// What is wrong with it, field by field in a bank's names for them (`pushContent.target`); empty where it may pass.
    ///
    /// The one gate: a pipeline asks after its stages, whoever handed the notification in or changed it on the way. It
    /// names the first hundred faults at most. Cheap, and on any thread.
    public var problems: [Refusal.Field] {
        var found = Problems()
        found.identifier(id.text, "id")
        if recipients.isEmpty { found.add("recipients", "must not be empty") }
        for (index, recipient) in recipients.enumerated() where !found.isFull {
            guard found.isWrong(recipient) else { continue }
            found.recipient(recipient, "recipients[\(index)]")
        }
        found.number(timeout, in: NotificationRules.timeouts, "timeout")
        found.number(priority, in: NotificationRules.priorities, "priority")
        if let collapseID { found.identifier(collapseID, "collapseId") }
        found.content(content)
        if details?.amount?.currency.isEmpty == true { found.add("pushDetails.amount.currency", "must not be empty") }
        return found.fields
    }
}

/// Faults as they are found.
private struct Problems {
    private static let most = 100

    private(set) var fields: [Refusal.Field] = []

    var isFull: Bool { fields.count >= Self.most }

    mutating func add(_ path: String, _ message: String) {
        if !isFull { fields.append(Refusal.Field(path: path, message: message)) }
    }

    mutating func identifier(_ text: String, _ path: String) {
        bounded(text, 1...NotificationRules.longestIdentifier, path)
    }

    /// Said first, for there may be a hundred thousand of them and the path of each is a string.
    func isWrong(_ recipient: Recipient) -> Bool {
        !(1...NotificationRules.longestIdentifier).contains(recipient.spelling.text.utf8.count)
            || !(1...NotificationRules.longestMappedIdentifier).contains(recipient.id.text.utf8.count)
    }

    mutating func recipient(_ recipient: Recipient, _ path: String) {
        let before = fields.count
        identifier(recipient.spelling.text, path)
        if fields.count == before { bounded(recipient.id.text, 1...NotificationRules.longestMappedIdentifier, path) }
    }

    mutating func number(_ number: Int, in range: ClosedRange<Int>, _ path: String) {
        if !range.contains(number) { add(path, "must be \(range.lowerBound) to \(range.upperBound)") }
    }

    mutating func content(_ content: PushContent) {
        number(content.badge, in: NotificationRules.badges, "pushContent.badge")
        if content.text.isEmpty { add("pushContent.text", "must not be empty") }
        guard let target = content.target, !NotificationRules.isNone(target: target) else {
            if content.type.requiresTarget {
                add("pushContent.target", "is missing; \(content.type.rawValue) needs one")
            }
            return
        }
        bounded(target, 1...NotificationRules.longestTarget, "pushContent.target")
    }

    private mutating func bounded(_ text: String, _ bytes: ClosedRange<Int>, _ path: String) {
        let count = text.utf8.count
        if count < bytes.lowerBound { return add(path, "must not be empty") }
        if count > bytes.upperBound { add(path, "must have at most \(bytes.upperBound) bytes") }
    }
}

extension Refusal {
    /// Refuses for fields that are known to be at fault.
    public init(fields: [Field]) {
        self.init(fields.prefix(5).map { "\($0.path) \($0.message)" }.joined(separator: "; "), fields: fields)
    }
}
