// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService

/// What FCM's answer means for a delivery, and what the channel itself has to do about it.
struct Judgement: Equatable {
    let outcome: Outcome
    /// Whether the access token is refused: another one may help.
    var refusesToken = false

    /// What became of a request.
    init(_ result: HTTP2Outcome, now: WallTime) {
        switch result {
        case .response(let response): self.init(Answer(response, now: now))
        case .unsent(let failure): self.init(Outcome(failure))
        case .unknown(let why): self.init(.unknown(reason: why))
        }
    }

    private init(_ outcome: Outcome) { self.outcome = outcome }

    /// By FCM's own word first, then by Google's general one, then by the HTTP status.
    init(_ answer: Answer) {
        guard !answer.isAccepted else {
            outcome = .accepted
            return
        }
        let meaning =
            answer.errorCode.flatMap { Meaning.ofErrorCodes[$0] } ?? answer.word.flatMap { Meaning.ofWords[$0] }
            ?? Meaning(ofStatus: answer.status)
        refusesToken = meaning.refusesToken
        outcome = meaning.outcome(answer)
    }
}

/// How a kind of answer is dealt with.
struct Meaning {
    enum Kind {
        /// The message is wrong and will stay so; or, where the answer says so, the token.
        case rejected
        /// The address is dead, or looks so because of a mistake of ours.
        case gone(isAmbiguous: Bool)
        /// Our credentials or settings are wrong: an operator must act.
        case unavailable
        /// It can be tried again.
        case later(Outcome.Scope)
        /// The project's quota, or a device's, is used up.
        case full
    }

    let kind: Kind
    var advice = ""
    var refusesToken = false

    func outcome(_ answer: Answer) -> Outcome {
        let words = advice.isEmpty ? answer.words : "\(answer.words): \(advice)"
        let reason = "FCM says \(words)"
        switch kind {
        case .rejected where answer.blamesToken:
            return Self.dead(isAmbiguous: false, "\(reason): the token is malformed")
        case .rejected: return .rejected(reason: reason)
        case .gone(let isAmbiguous): return Self.dead(isAmbiguous: isAmbiguous, reason)
        case .unavailable: return .unavailable(reason: reason)
        case .later(let scope): return .retry(after: answer.retryAfter, scope: scope, reason: reason)
        case .full:
            let scope: Outcome.Scope = answer.blamesDevice ? .delivery : .provider
            return .retry(after: answer.retryAfter, scope: scope, reason: reason)
        }
    }

    /// FCM does not tell since when: what was registered after the sending survives.
    private static func dead(isAmbiguous: Bool, _ reason: String) -> Outcome {
        .gone(Outcome.Gone(since: nil, isAmbiguous: isAmbiguous, reason: reason))
    }
}

extension Meaning {
    private static let down = Meaning(kind: .later(.provider))
    private static let wrong = Meaning(kind: .rejected)
    private static let refused = Meaning(
        kind: .unavailable,
        advice: "the access token is not accepted",
        refusesToken: true
    )
    private static let forbidden = Meaning(
        kind: .unavailable,
        advice: "the service account may not send, or the Firebase Cloud Messaging API is off in its project"
    )
    private static let noProject = Meaning(
        kind: .unavailable,
        advice: "there is no such project; check 'service_account' and 'endpoint'"
    )
    private static let stranger = Meaning(
        kind: .unavailable,
        advice: "that is no answer of FCM; check 'endpoint'"
    )

    /// FCM's error codes, `google.firebase.fcm.v1.FcmError`.
    static let ofErrorCodes: [String: Meaning] = [
        "UNREGISTERED": Meaning(kind: .gone(isAmbiguous: false)),
        "INVALID_ARGUMENT": wrong,
        // With another project's service account every token looks so.
        "SENDER_ID_MISMATCH": Meaning(kind: .gone(isAmbiguous: true), advice: "the token is another project's"),
        "QUOTA_EXCEEDED": Meaning(kind: .full),
        "UNAVAILABLE": down,
        "INTERNAL": down,
        // It is the project's key for Apple or for the web that is refused, and Android goes on.
        "THIRD_PARTY_AUTH_ERROR": Meaning(
            kind: .later(.delivery),
            advice: "the token is an iPhone's or a browser's, and the project's key for those is not valid"
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
        "RESOURCE_EXHAUSTED": Meaning(kind: .full),
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
        case 429: self = Meaning(kind: .full)
        case 404, 405, 407: self = Self.stranger
        case 400..<500: self = Self.wrong
        case 500...: self = Self.down
        default: self = Self.stranger
        }
    }
}
