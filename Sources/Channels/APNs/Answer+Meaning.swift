// SPDX-License-Identifier: Apache-2.0

import Bus
import PushService

/// What APNs' answers mean; the reasons are Apple's, see "Handling notification responses from APNs".
extension Answer {
    /// What it means for a delivery, and what the channel itself has to do about it.
    var judgement: PushJudgement {
        guard !isAccepted else { return PushJudgement(.accepted) }
        let meaning =
            reason.map { Self.meanings[$0] ?? Self.meaning(ofStatus: status) }
            ?? Self.meaning(ofBareStatus: status)
        let said = meaning.reason("APNs says \(words)")
        // A verdict of a time that cannot be read may be older than the registration.
        if case .gone = meaning.kind, hasUnreadableTimestamp {
            return PushJudgement(.rejected(reason: "\(said), with a timestamp that is none"), meaning.remedy)
        }
        return meaning.judgement(said, retryAfter: retryAfter, since: timestamp)
    }

    private static let dead = Meaning(.gone(isAmbiguous: false))
    private static let wrong = Meaning(.rejected)
    private static let down = Meaning(.later(.provider))
    private static let stranger = Meaning(
        .unavailable,
        "that is no answer of APNs; check 'endpoint'"
    )

    /// Apple's reasons; the status is the same for each of them wherever it comes up.
    static let meanings: [String: Meaning] = [
        // 400: the request
        "BadCollapseId": wrong,
        "BadExpirationDate": wrong,
        "BadMessageId": wrong,
        "BadPriority": wrong,
        "DuplicateHeaders": wrong,
        "InvalidPushType": wrong,
        "MissingDeviceToken": wrong,
        "PayloadEmpty": wrong,
        // 400: the address
        "BadDeviceToken": Meaning(
            .gone(isAmbiguous: true),
            "the token is malformed, or the endpoint is the other environment's"
        ),
        "DeviceTokenNotForTopic": Meaning(.gone(isAmbiguous: true), "the token is another app's"),
        // 400: our settings
        "BadTopic": Meaning(.unavailable, "check 'topic'"),
        "MissingTopic": Meaning(.unavailable, "set 'topic'"),
        "TopicDisallowed": Meaning(.unavailable, "these credentials are not for this topic"),
        // 400: the connection
        "IdleTimeout": Meaning(.later(.delivery), remedy: .reconnect),
        // 403: who we are
        "BadCertificate": Meaning(.unavailable, "the certificate is not valid"),
        "BadCertificateEnvironment": Meaning(.unavailable, "the certificate is another environment's"),
        "BadEnvironmentKeyIdInToken": Meaning(.unavailable, "the key is another environment's"),
        // What is seen on the wire, in spite of the documentation.
        "BadEnvironmentKeyInToken": Meaning(.unavailable, "the key is another environment's"),
        "ExpiredProviderToken": Meaning(
            .unavailable,
            "check this machine's clock",
            remedy: .renew(reconnecting: true)
        ),
        "Forbidden": Meaning(.unavailable),
        "InvalidProviderToken": Meaning(
            .unavailable,
            "the key, 'key_id' and 'team_id' do not belong together, or this machine's clock is wrong"
        ),
        "MissingProviderToken": Meaning(.unavailable, "no key, and no certificate that counts"),
        "UnrelatedKeyIdInToken": Meaning(.unavailable, remedy: .reconnectAndRepeat),
        // 404, 405
        "BadPath": wrong,
        "MethodNotAllowed": wrong,
        // 410
        "ExpiredToken": dead,
        "Unregistered": dead,
        // 413
        "PayloadTooLarge": wrong,
        // 429
        "TooManyProviderTokenUpdates": Meaning(
            .unavailable,
            "other programs use the same key with tokens of their own",
            remedy: .hold
        ),
        "TooManyRequests": Meaning(.later(.delivery)),
        // 500, 503
        "InternalServerError": down,
        "ServiceUnavailable": down,
        "Shutdown": Meaning(.later(.provider), remedy: .reconnect),
    ]

    /// What an answer without a reason means: Apple gives one always, so something else may have answered.
    static func meaning(ofBareStatus status: Int) -> Meaning {
        switch status {
        case 404, 405: stranger
        case 410: Meaning(.gone(isAmbiguous: true))
        default: meaning(ofStatus: status)
        }
    }

    /// What an answer with a reason that is new means.
    static func meaning(ofStatus status: Int) -> Meaning {
        switch status {
        case 410: dead
        case 429: Meaning(.later(.delivery))
        case 401, 403, 407: Meaning(.unavailable)
        case 400..<500: wrong
        case 500...: down
        default: stranger
        }
    }
}
