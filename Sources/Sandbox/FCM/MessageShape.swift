// SPDX-License-Identifier: Apache-2.0

import JSON

/// What a part of an FCM message may be.
///
/// Source: Google's discovery document of fcm:v1. Names are compared in snake case: proto3 JSON takes both.
indirect enum MessageShape: Sendable {
    case text, flag, number, duration, texts, anything
    case word([String])
    case list(MessageShape)
    case object([String: MessageShape])

    static let request = MessageShape.object(["validate_only": .flag, "message": message])

    private static let message = MessageShape.object([
        "name": .text, "token": .text, "fid": .text, "topic": .text, "condition": .text, "data": .texts,
        "notification": .object(["title": .text, "body": .text, "image": .text]),
        "android": android,
        "apns": .object([
            "headers": .texts, "payload": .anything, "live_activity_token": .text,
            "fcm_options": .object(["analytics_label": .text, "image": .text]),
        ]),
        "webpush": .object([
            "headers": .texts, "data": .texts, "notification": .anything,
            "fcm_options": .object(["link": .text, "analytics_label": .text]),
        ]),
        "fcm_options": options,
    ])

    private static let options = MessageShape.object(["analytics_label": .text])

    private static let android = MessageShape.object([
        "collapse_key": .text, "priority": .word(["NORMAL", "HIGH"]), "ttl": .duration,
        "restricted_package_name": .text, "data": .texts, "notification": shown, "fcm_options": options,
        "direct_boot_ok": .flag, "bandwidth_constrained_ok": .flag, "restricted_satellite_ok": .flag,
    ])

    private static let shown = MessageShape.object([
        "title": .text, "body": .text, "icon": .text, "color": .text, "sound": .text, "tag": .text,
        "click_action": .text, "body_loc_key": .text, "body_loc_args": .list(.text), "title_loc_key": .text,
        "title_loc_args": .list(.text), "channel_id": .text, "ticker": .text, "sticky": .flag, "event_time": .text,
        "local_only": .flag, "notification_priority": .text, "default_sound": .flag,
        "default_vibrate_timings": .flag, "default_light_settings": .flag, "vibrate_timings": .list(.duration),
        "visibility": .word(["PRIVATE", "PUBLIC", "SECRET"]), "notification_count": .number,
        "light_settings": .anything, "image": .text, "bypass_proxy_notification": .flag,
        "proxy": .word(["ALLOW", "DENY", "IF_PRIORITY_LOWERED"]),
    ])

    /// What in a value is not of this shape.
    func violations(_ value: JSONValue, at path: String) -> [FCMError.Violation] {
        switch self {
        case .anything: return []
        case .text: return value.string == nil ? [Self.wrong(path, "TYPE_STRING")] : []
        case .flag: return value.bool == nil ? [Self.wrong(path, "TYPE_BOOL")] : []
        case .number: return value.integer == nil ? [Self.wrong(path, "TYPE_INT32")] : []
        case .duration: return Self.isDuration(value.string) ? [] : [Self.wrong(path, "type.googleapis.com/Duration")]
        case .word(let words):
            return words.contains(value.string?.uppercased() ?? "") ? [] : [Self.wrong(path, "TYPE_ENUM")]
        case .texts: return Self.entries(value, path)
        case .list(let element):
            guard let array = value.array else { return [Self.wrong(path, "a list")] }
            return array.enumerated().flatMap { element.violations($1, at: "\(path)[\($0)]") }
        case .object(let members): return Self.members(value, members, path)
        }
    }

    private static func members(
        _ value: JSONValue,
        _ known: [String: MessageShape],
        _ path: String
    ) -> [FCMError.Violation] {
        guard let object = value.object else { return [wrong(path, "an object")] }
        return object.members.flatMap { member -> [FCMError.Violation] in
            let place = path.isEmpty ? member.key : "\(path).\(member.key)"
            guard let shape = known[snakeCase(member.key)] else {
                let text =
                    "Invalid JSON payload received. Unknown name \"\(member.key)\" at '\(path)': Cannot find field."
                return [FCMError.Violation(field: path, description: text)]
            }
            return shape.violations(member.value, at: place)
        }
    }

    private static func entries(_ value: JSONValue, _ path: String) -> [FCMError.Violation] {
        guard let object = value.object else { return [wrong(path, "an object")] }
        return object.members.enumerated().compactMap { index, member in
            guard member.value.string != nil else { return wrong("\(path)[\(index)].value", "TYPE_STRING") }
            let key = member.key
            let isReserved = key == "from" || key == "gcm" || key == "message_type" || key.hasPrefix("google")
            let isTaken = path == "message.data" && (isReserved || key.hasPrefix("gcm.notification."))
            return isTaken ? FCMError.Violation(field: path, description: "Invalid data payload key: \(key)") : nil
        }
    }

    private static func wrong(_ path: String, _ type: String) -> FCMError.Violation {
        FCMError.Violation(field: path, description: "Invalid value at '\(path)' (\(type))")
    }

    private static func isDuration(_ text: String?) -> Bool {
        guard let text, text.hasSuffix("s") else { return false }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count)
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    private static func snakeCase(_ key: String) -> String {
        key.reduce(into: "") { text, character in
            if character.isUppercase { text += "_" }
            text += character.lowercased()
        }
    }
}
