// SPDX-License-Identifier: Apache-2.0

package import Bus

/// The stored form of a notification: everything but its id and its recipients, which stores keep in columns.
///
/// The first byte is the form's version. Encrypted content will be another version around this one.
package enum NotificationCodec {
    private static let version: UInt8 = 1

    private struct Flags: OptionSet {
        let rawValue: UInt64
        static let perishable = Flags(rawValue: 1)
        static let knownRecipients = Flags(rawValue: 1 << 1)
        static let target = Flags(rawValue: 1 << 2)
        static let collapseID = Flags(rawValue: 1 << 3)
        static let details = Flags(rawValue: 1 << 4)
        static let name = Flags(rawValue: 1 << 5)
        static let logoURL = Flags(rawValue: 1 << 6)
        static let description = Flags(rawValue: 1 << 7)
        static let amount = Flags(rawValue: 1 << 8)
        static let nilTarget = Flags(rawValue: 1 << 9)
        static let all = Flags(rawValue: 1 << 10 - 1)
    }

    // Numbers in files: never renumber.
    private static let types: [NotificationType] = [.universal, .product, .form, .showMap, .url, .pinCode, .message]

    /// Returns the stored form.
    package static func encode(_ notification: Notification) -> [UInt8] {
        let content = notification.content
        let details = notification.details
        var writer = CompactWriter(capacity: 64 + content.text.utf8.count + (details?.description?.utf8.count ?? 0))
        writer.append(UInt64(version))
        writer.append(flags(of: notification).rawValue)
        writer.append(signed: Int64(notification.timeout))
        writer.append(signed: Int64(notification.priority))
        writer.append(UInt64(types.firstIndex(of: content.type) ?? 0))
        writer.append(signed: Int64(content.badge))
        writer.append(content.sound)
        writer.append(content.text)
        if let target = content.target { writer.append(target) }
        if let collapseID = notification.collapseID { writer.append(collapseID) }
        if let details { append(details, to: &writer) }
        return writer.bytes
    }

    private static func flags(of notification: Notification) -> Flags {
        var flags: Flags = []
        if notification.isPerishable { flags.insert(.perishable) }
        if notification.requiresKnownRecipients { flags.insert(.knownRecipients) }
        if notification.content.target != nil { flags.insert(.target) }
        if notification.content.hasNilTarget { flags.insert(.nilTarget) }
        if notification.collapseID != nil { flags.insert(.collapseID) }
        guard let details = notification.details else { return flags }
        flags.insert(.details)
        if details.name != nil { flags.insert(.name) }
        if details.logoURL != nil { flags.insert(.logoURL) }
        if details.description != nil { flags.insert(.description) }
        if details.amount != nil { flags.insert(.amount) }
        return flags
    }

    private static func append(_ details: PushDetails, to writer: inout CompactWriter) {
        if let name = details.name { writer.append(name) }
        if let logoURL = details.logoURL { writer.append(logoURL) }
        if let description = details.description { writer.append(description) }
        if let amount = details.amount {
            writer.append(amount.currency)
            writer.append(signed: amount.fxAmount)
        }
        writer.append(UInt64(details.tags.count))
        for tag in details.tags {
            writer.append(tag.key)
            writer.append(tag.value == nil ? 0 : 1)
            if let value = tag.value { writer.append(value) }
        }
    }
}

extension NotificationCodec {
    /// Reads the stored form back.
    package static func decode(
        _ bytes: [UInt8],
        id: NotificationID,
        recipients: [Recipient]
    ) throws(DamagedBytes) -> Notification {
        var reader = CompactReader(bytes)
        guard try reader.byte() == version else { throw DamagedBytes() }
        let flags = Flags(rawValue: try reader.number())
        guard flags.isSubset(of: .all) else { throw DamagedBytes() }
        let timeout = try reader.signed()
        let priority = try reader.signed()
        var content = try content(from: &reader, hasTarget: flags.contains(.target))
        content.hasNilTarget = flags.contains(.nilTarget)
        let collapseID = flags.contains(.collapseID) ? try reader.text() : nil
        let details = flags.contains(.details) ? try details(from: &reader, flags) : nil
        guard reader.isAtEnd else { throw DamagedBytes() }
        var notification = Notification(
            id: id,
            recipients: recipients,
            timeout: Int(timeout),
            content: content,
            details: details,
            isPerishable: flags.contains(.perishable),
            priority: Int(priority),
            collapseID: collapseID
        )
        notification.requiresKnownRecipients = flags.contains(.knownRecipients)
        return notification
    }

    private static func content(
        from reader: inout CompactReader,
        hasTarget: Bool
    ) throws(DamagedBytes) -> PushContent {
        let type = try reader.number()
        guard type < UInt64(types.count) else { throw DamagedBytes() }
        let badge = try reader.signed()
        let sound = try reader.text()
        let text = try reader.text()
        let target = hasTarget ? try reader.text() : nil
        return PushContent(badge: Int(badge), sound: sound, text: text, type: types[Int(type)], target: target)
    }

    private static func details(from reader: inout CompactReader, _ flags: Flags) throws(DamagedBytes) -> PushDetails {
        var details = PushDetails()
        if flags.contains(.name) { details.name = try reader.text() }
        if flags.contains(.logoURL) { details.logoURL = try reader.text() }
        if flags.contains(.description) { details.description = try reader.text() }
        if flags.contains(.amount) {
            let currency = try reader.text()
            details.amount = PushDetails.Amount(currency: currency, fxAmount: try reader.signed())
        }
        // The count is not trusted with memory: every tag takes bytes, so a false one ends in an error.
        for _ in 0..<(try reader.number()) {
            let key = try reader.text()
            let value = try reader.byte() == 0 ? nil : try reader.text()
            details.tags.append(PushDetails.Tag(key: key, value: value))
        }
        return details
    }
}
