// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON
import Threads

/// What is sent to a bank.
enum CallbackBody {
    static func event(_ event: BankEvent) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("event")
        writer.string(event.kind.rawValue)
        writer.key("notificationId")
        writer.string(event.notification.text)
        writer.key("userIds")
        writer.beginArray()
        for user in event.users { writer.string(user.text) }
        writer.endArray()
        writer.key("at")
        writer.string(Timestamp.text(event.at))
        writer.endObject()
        return writer.bytes
    }

    /// The fields of the original documentation.
    static func question(_ question: SubscriptionQuestion) -> [UInt8] {
        switch question {
        case .isAuthorized(let subject), .authorize(let subject):
            fields(of: subject) { writer in
                writer.key("platform")
                writer.string(subject.platform.rawValue)
            }
        case .verify(let subject, let code):
            fields(of: subject) { writer in
                writer.key("verificationCode")
                writer.string(code)
            }
        }
    }

    private static func fields(of subject: SubscriptionSubject, _ more: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("bankClientId")
        writer.string(subject.bankClientID)
        writer.key("userId")
        writer.string(subject.user.text)
        writer.key("deviceId")
        writer.string(subject.deviceID)
        more(&writer)
        writer.endObject()
        return writer.bytes
    }
}
