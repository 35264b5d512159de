// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient

/// What a gateway answered to a call, by its status and by the number its text begins with.
///
/// A reason is made of our own words and of the gateway's only where they are among Kannel's: another's may hold the
/// number or the text.
struct GatewayAnswer {
    private let status: Int
    private let retryAfter: String?
    private let date: String?
    private let text: String

    init(_ response: HTTPClientResponse) {
        status = response.status
        retryAfter = response.headers["Retry-After"]
        date = response.headers["Date"]
        text = String(decoding: response.body.prefix(256), as: UTF8.self)
    }

    /// The number before a colon at the text's beginning, as in `0: Accepted for delivery`.
    ///
    /// It has fewer digits than a code in a text message, which some gateways repeat in their answer.
    private var code: Int? {
        let text = text.drop(while: \.isWhitespace)
        let number = text.prefix { $0 != ":" }
        return number.count <= 3 && number.count < text.count ? Int(number) : nil
    }

    /// What follows for the message.
    func outcome(now: WallTime) -> Outcome {
        switch status {
        case 200..<300: return accepted
        // Wrong password, no money, wrong address: nothing of the message's doing.
        case 300..<400, 401...405, 407: return .unavailable(reason: reason)
        case 400 where text.contains("Sender missing"): return .unavailable(reason: reason)
        case 408, 429, 500, 503:
            let after = retryAfter.flatMap { RetryAfter.milliseconds($0, answered: date, now: now) }
            return .retry(after: after, scope: .provider, reason: reason)
        // A proxy that lost sight of the gateway (502, 504) cannot know either.
        case 500...: return .unknown(reason: reason)
        default: return .rejected(reason: reason)
        }
    }

    /// What a good status means: taken or stored where the number is 0 or 3, and also where there is none.
    ///
    /// Some that imitate Kannel leave the number out, and some say an error of theirs with it.
    private var accepted: Outcome {
        guard let code, code != 0, code != 3 else { return .accepted }
        return .rejected(reason: "the gateway answered HTTP \(status) with code \(code)")
    }

    /// What is wrong where nothing was asked for but to look at the account; `nil` where nothing is.
    var probeProblem: String? {
        switch status {
        case 200..<300, 400, 406, 411..<429: nil
        case 401, 403: "the gateway refuses the user name or the password: HTTP \(status)"
        case 404, 405: "the gateway knows no such address, or not for this method: HTTP \(status)"
        default: reason
        }
    }

    private var reason: String {
        let known = Self.knownTexts.first { text.hasPrefix($0) }
        return "the gateway answered HTTP \(status)" + (known.map { ": \($0)" } ?? "")
    }

    /// What Kannel 1.4.5 says.
    private static let knownTexts = [
        "Authorization failed for sendsms", "Missing receiver number", "Empty receiver number not allowed",
        "Sender missing and no global set", "Number(s) has/have been denied by white- and/or black-lists",
        "Coding field misformed", "Charset or body misformed", "UDH field is too long", "Validity field misformed",
        "DLR-URL field misformed", "Unknown request", "Temporal failure, try again later",
        "Invalid content-type",
    ]

    /// What follows where there was no answer.
    static func outcome(_ error: HTTPClientError) -> Outcome {
        if error.mayHaveArrived { return .unknown(reason: error.description) }
        switch error.code {
        case .notTrusted: return .unavailable(reason: error.description)
        case .invalidRequest: return .rejected(reason: error.description)
        // Full, or out of time while it waited for a connection: of our doing, and others may fare better.
        case .overloaded, .timedOut: return .retry(after: nil, scope: .delivery, reason: error.description)
        default: return .retry(after: nil, scope: .provider, reason: error.description)
        }
    }
}
