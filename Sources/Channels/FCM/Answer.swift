// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import JSON
import PushService

/// What FCM, or whatever stands in its way, answered.
///
/// The shape of errors is Google's `google.rpc.Status`: a code, a status, and details of several types.
struct Answer: Equatable {
    let status: Int
    /// FCM's own word for what is wrong, `FcmError.errorCode`.
    private(set) var errorCode: String?
    /// Google's general word, `error.status`.
    private(set) var word: String?
    /// Why Google did not let us in, `ErrorInfo.reason`.
    private(set) var cause: String?
    /// Whether it is the registration token that is wrong with the request.
    private(set) var blamesToken = false
    /// Whether a quota is one device's, not the project's.
    private(set) var blamesDevice = false
    /// How long to wait, in milliseconds.
    let retryAfter: Int64?

    init(_ response: HTTP2Response, now: WallTime) {
        status = response.status
        retryAfter = response.header("retry-after").flatMap {
            RetryAfter.milliseconds($0, answered: response.header("date"), now: now)
        }
        guard !(200..<300).contains(status), !response.isTruncated, !response.body.isEmpty,
            let error = (try? JSONValue(parsing: response.body))?["error"]
        else { return }
        word = Self.word(error["status"])
        let details = error["details"]?.array ?? []
        errorCode = Self.word(Self.detail("google.firebase.fcm.v1.FcmError", details)?["errorCode"])
        cause = Self.word(Self.detail("google.rpc.ErrorInfo", details)?["reason"])
        blamesToken = Self.blamesToken(error["message"]?.string, details, isFCMs: errorCode != nil)
        blamesDevice = Self.blamesDevice(details)
        // An iPhone's token that Apple calls dead (status 410) is as dead as one of FCM's own.
        if Self.detail("google.firebase.fcm.v1.ApnsError", details)?["statusCode"]?.integer == 410 {
            errorCode = "UNREGISTERED"
        }
    }

    var isAccepted: Bool { (200..<300).contains(status) }

    /// What an operator reads: the status, and the words that are known.
    ///
    /// Whoever answered may have made up others, even of a token.
    var words: String {
        let known = [
            errorCode.flatMap { Meaning.ofErrorCodes[$0] == nil ? nil : $0 }
                ?? word.flatMap { Meaning.ofWords[$0] == nil ? nil : $0 },
            cause.flatMap { Self.knownCauses.contains($0) ? $0 : nil },
        ]
        return (["\(status)"] + known.compactMap(\.self)).joined(separator: " ")
    }

    /// Those of `google.api.ErrorReason` that are about who calls.
    private static let knownCauses: Set<String> = [
        "ACCESS_TOKEN_EXPIRED", "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "ACCESS_TOKEN_TYPE_UNSUPPORTED",
        "ACCOUNT_STATE_INVALID", "BILLING_DISABLED", "CONSUMER_INVALID", "CONSUMER_SUSPENDED", "CREDENTIALS_MISSING",
        "IAM_PERMISSION_DENIED", "RATE_LIMIT_EXCEEDED", "RESOURCE_PROJECT_INVALID", "RESOURCE_QUOTA_EXCEEDED",
        "SECURITY_POLICY_VIOLATED", "SERVICE_DISABLED", "USER_PROJECT_DENIED",
    ]

    private static func detail(_ type: String, _ details: [JSONValue]) -> JSONValue? {
        details.first { $0["@type"]?.string == "type.googleapis.com/\(type)" }
    }

    /// Says whether an INVALID_ARGUMENT is about the token: a violation of the field `message.token`, or FCM's own
    /// error with the documented sentence and no violation of another field.
    private static func blamesToken(_ message: String?, _ details: [JSONValue], isFCMs: Bool) -> Bool {
        let fields = violations("fieldViolations", "google.rpc.BadRequest", details).map { $0["field"]?.string }
        guard fields.isEmpty else { return fields.allSatisfy { $0 == "message.token" || $0 == "token" } }
        return isFCMs && message?.lowercased().contains("registration token") == true
    }

    private static func blamesDevice(_ details: [JSONValue]) -> Bool {
        violations("violations", "google.rpc.QuotaFailure", details).contains { violation in
            ["subject", "description"].contains { violation[$0]?.string?.lowercased().contains("device") == true }
        }
    }

    private static func violations(_ key: String, _ type: String, _ details: [JSONValue]) -> [JSONValue] {
        detail(type, details)?[key]?.array ?? []
    }

    /// Google's codes are words in capitals.
    private static func word(_ value: JSONValue?) -> String? {
        guard let text = value?.string, (1...64).contains(text.utf8.count) else { return nil }
        let isWord = text.utf8.allSatisfy {
            (0x41...0x5a).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
        }
        return isWord ? text : nil
    }
}
