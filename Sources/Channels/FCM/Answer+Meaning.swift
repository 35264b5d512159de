// SPDX-License-Identifier: Apache-2.0

import Bus
import PushService

/// What FCM's answers mean.
extension Answer {
    /// What it means for a delivery, and what the channel itself has to do about it.
    ///
    /// By FCM's own word first, then by Google's general one, then by the HTTP status.
    var judgement: PushJudgement {
        guard !isAccepted else { return PushJudgement(.accepted) }
        let known = errorCode.flatMap { Meaning.ofErrorCodes[$0] } ?? word.flatMap { Meaning.ofWords[$0] }
        var meaning = known ?? Meaning(ofStatus: status)
        var said = meaning.reason("FCM says \(words)")
        if meaning.kind == .rejected, blamesToken {
            meaning = Meaning(.gone(isAmbiguous: false))
            said += ": the token is malformed"
        }
        if meaning.kind == .quota, blamesDevice { meaning = Meaning(.later(.delivery)) }
        // FCM does not tell since when: what was registered after the sending survives.
        return meaning.judgement(said, retryAfter: retryAfter)
    }
}

extension Meaning {
    private static let down = Meaning(.later(.provider))
    private static let wrong = Meaning(.rejected)
    private static let refused = Meaning(
        .unavailable,
        "the access token is not accepted",
        remedy: .renew(reconnecting: false)
    )
    private static let forbidden = Meaning(
        .unavailable,
        "the service account may not send, or the Firebase Cloud Messaging API is off in its project"
    )
    private static let noProject = Meaning(
        .unavailable,
        "there is no such project; check 'service_account' and 'endpoint'"
    )
    private static let stranger = Meaning(
        .unavailable,
        "that is no answer of FCM; check 'endpoint'"
    )

    /// FCM's error codes, `google.firebase.fcm.v1.FcmError`.
    static let ofErrorCodes: [String: Meaning] = [
        "UNREGISTERED": Meaning(.gone(isAmbiguous: false)),
        "INVALID_ARGUMENT": wrong,
        // With another project's service account every token looks so.
        "SENDER_ID_MISMATCH": Meaning(.gone(isAmbiguous: true), "the token is another project's"),
        "QUOTA_EXCEEDED": Meaning(.quota),
        "UNAVAILABLE": down,
        "INTERNAL": down,
        // It is the project's key for Apple or for the web that is refused, and Android goes on.
        "THIRD_PARTY_AUTH_ERROR": Meaning(
            .later(.delivery),
            "the token is an iPhone's or a browser's, and the project's key for those is not valid"
        ),
    ]

    /// Google's general codes, `google.rpc.Code`.
    static let ofWords: [String: Meaning] = [
        "INVALID_ARGUMENT": wrong,
        "FAILED_PRECONDITION": wrong,
        "OUT_OF_RANGE": wrong,
        "UNAUTHENTICATED": refused,
        "PERMISSION_DENIED": forbidden,
        "NOT_FOUND": noProject,
        "RESOURCE_EXHAUSTED": Meaning(.quota),
        "UNAVAILABLE": down,
        "INTERNAL": down,
        "UNKNOWN": down,
        "DEADLINE_EXCEEDED": down,
    ]

    /// What an answer without a known word means: something else than FCM may have given it.
    init(ofStatus status: Int) {
        switch status {
        case 401: self = Self.refused
        case 403: self = Self.forbidden
        case 408: self = Self.down
        case 429: self = Meaning(.quota)
        case 404, 405, 407: self = Self.stranger
        case 400..<500: self = Self.wrong
        case 500...: self = Self.down
        default: self = Self.stranger
        }
    }
}
