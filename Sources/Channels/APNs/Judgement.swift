// SPDX-License-Identifier: Apache-2.0

import Bus

/// What APNs' answer means for a delivery, and what the channel itself has to do about it.
struct Judgement: Equatable {
    /// What the channel does besides telling the outcome.
    enum Remedy: Equatable {
        case nothing
        /// Replaces the connections.
        case reconnect
        /// Replaces the connections, and sends the delivery once more at once.
        case reconnectAndRepeat
        /// The same with a new token.
        case renewTokenAndRepeat
        /// Keeps the token it has, come what may.
        case holdToken
    }

    let outcome: Outcome
    var remedy = Remedy.nothing

    init(_ answer: Answer) {
        guard !answer.isAccepted else {
            outcome = .accepted
            return
        }
        let meaning =
            switch answer.reason {
            case nil: Self.meaning(ofBareStatus: answer.status)
            case let reason?: Self.meanings[reason] ?? Self.meaning(ofStatus: answer.status)
            }
        remedy = meaning.remedy
        outcome = meaning.outcome(answer)
    }
}

/// How a kind of answer is dealt with.
struct Meaning {
    enum Kind {
        /// The message is wrong and will stay so.
        case rejected
        /// The address is dead, or looks so because of a mistake of ours.
        case gone(isAmbiguous: Bool)
        /// Our credentials or settings are wrong: an operator must act.
        case unavailable
        /// It can be tried again.
        case later(Outcome.Scope)
    }

    let kind: Kind
    var advice = ""
    var remedy = Judgement.Remedy.nothing

    func outcome(_ answer: Answer) -> Outcome {
        let words = advice.isEmpty ? answer.words : "\(answer.words): \(advice)"
        let reason = "APNs says \(words)"
        switch kind {
        case .rejected: return .rejected(reason: reason)
        case .gone(let isAmbiguous):
            // A verdict of a time that cannot be read may be older than the registration.
            if answer.hasUnreadableTimestamp { return .rejected(reason: "\(reason), with a timestamp that is none") }
            let since = isAmbiguous ? nil : answer.timestamp
            return .gone(Outcome.Gone(since: since, isAmbiguous: isAmbiguous, reason: reason))
        case .unavailable: return .unavailable(reason: reason)
        case .later(let scope): return .retry(after: answer.retryAfter, scope: scope, reason: reason)
        }
    }
}

extension Judgement {
    private static let dead = Meaning(kind: .gone(isAmbiguous: false))
    private static let wrong = Meaning(kind: .rejected)
    private static let down = Meaning(kind: .later(.provider))
    private static let stranger = Meaning(
        kind: .unavailable,
        advice: "that is no answer of APNs; check 'endpoint'"
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
            kind: .gone(isAmbiguous: true),
            advice: "the token is malformed, or the endpoint is the other environment's"
        ),
        "DeviceTokenNotForTopic": Meaning(kind: .gone(isAmbiguous: true), advice: "the token is another app's"),
        // 400: our settings
        "BadTopic": Meaning(kind: .unavailable, advice: "check 'topic'"),
        "MissingTopic": Meaning(kind: .unavailable, advice: "set 'topic'"),
        "TopicDisallowed": Meaning(kind: .unavailable, advice: "these credentials are not for this topic"),
        // 400: the connection
        "IdleTimeout": Meaning(kind: .later(.delivery), remedy: .reconnect),
        // 403: who we are
        "BadCertificate": Meaning(kind: .unavailable, advice: "the certificate is not valid"),
        "BadCertificateEnvironment": Meaning(kind: .unavailable, advice: "the certificate is another environment's"),
        "BadEnvironmentKeyIdInToken": Meaning(kind: .unavailable, advice: "the key is another environment's"),
        // What is seen on the wire, in spite of the documentation.
        "BadEnvironmentKeyInToken": Meaning(kind: .unavailable, advice: "the key is another environment's"),
        "ExpiredProviderToken": Meaning(
            kind: .unavailable,
            advice: "check this machine's clock",
            remedy: .renewTokenAndRepeat
        ),
        "Forbidden": Meaning(kind: .unavailable),
        "InvalidProviderToken": Meaning(
            kind: .unavailable,
            advice: "the key, 'key_id' and 'team_id' do not belong together, or this machine's clock is wrong"
        ),
        "MissingProviderToken": Meaning(kind: .unavailable, advice: "no key, and no certificate that counts"),
        "UnrelatedKeyIdInToken": Meaning(kind: .unavailable, remedy: .reconnectAndRepeat),
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
            kind: .unavailable,
            advice: "other programs use the same key with tokens of their own",
            remedy: .holdToken
        ),
        "TooManyRequests": Meaning(kind: .later(.delivery)),
        // 500, 503
        "InternalServerError": down,
        "ServiceUnavailable": down,
        "Shutdown": Meaning(kind: .later(.provider), remedy: .reconnect),
    ]

    /// What an answer without a reason means: Apple gives one always, so something else may have answered.
    static func meaning(ofBareStatus status: Int) -> Meaning {
        switch status {
        case 404, 405: stranger
        case 410: Meaning(kind: .gone(isAmbiguous: true))
        default: meaning(ofStatus: status)
        }
    }

    /// What an answer with a reason that is new means.
    static func meaning(ofStatus status: Int) -> Meaning {
        switch status {
        case 410: dead
        case 429: Meaning(kind: .later(.delivery))
        case 401, 403, 407: Meaning(kind: .unavailable)
        case 400..<500: wrong
        case 500...: down
        default: stranger
        }
    }
}
