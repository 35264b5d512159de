// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient

/// What follows from a bank's answer, or from there being none.
///
/// A reason names the status and the kind of fault, and nothing of what the bank wrote: that may be about customers.
enum BankVerdict {
    /// What became of an event that was told.
    ///
    /// A bank is told until it answers 2xx, so nothing is ever rejected here: what is wrong with one event holds up
    /// that event, what is wrong with the bank all of them, and what is wrong with us waits for the operator.
    static func outcome(_ response: HTTPClientResponse, now: Int64) -> Outcome {
        let status = response.status
        if (200..<300).contains(status) { return .accepted }
        let fault = fault(in: response)
        let reason = describe(status, fault)
        let after = response.headers["Retry-After"].flatMap { RetryAfter.milliseconds($0, now: now) }
        switch (status, fault) {
        case (_, .security), (300..<400, _), (401, _), (403...405, _), (407, _): return .unavailable(reason: reason)
        case (_, .client), (_, .unknownClient): return .retry(after: after, scope: .delivery, reason: reason)
        case (408, _), (429, _), (500..., _): return .retry(after: after, scope: .provider, reason: reason)
        default: return .retry(after: after, scope: .delivery, reason: reason)
        }
    }

    /// What became of an event that got no answer.
    static func outcome(_ error: HTTPClientError) -> Outcome {
        switch error.code {
        case .invalidRequest, .notTrusted: .unavailable(reason: error.description)
        default: .retry(after: nil, scope: .provider, reason: error.description)
        }
    }

    /// What a bank said to a question.
    static func answer(
        to question: SubscriptionQuestion,
        _ response: HTTPClientResponse
    ) throws(BankLinkError) -> Bool {
        let field: StaticString = if case .isAuthorized = question { "authorized" } else { "result" }
        let status = response.status
        guard let answer = read(response, field) else {
            throw .unreachable("the bank answered HTTP \(status) without SOAP")
        }
        switch answer {
        case .fault(.unknownClient): throw .unknownClient
        case .fault(let fault): throw .unreachable(describe(status, fault))
        case .response(let value):
            guard (200..<300).contains(status) else { throw .unreachable(describe(status, nil)) }
            switch (question, value) {
            case (.isAuthorized, "true"), (.isAuthorized, "1"), (.authorize, "OK"), (.verify, "OK"): return true
            case (.isAuthorized, "false"), (.isAuthorized, "0"), (.authorize, "ERROR"): return false
            case (.verify, "VERIFICATION_FAILED"): return false
            default: throw .unreachable("the bank's answer holds none of the results it may have")
            }
        }
    }

    private static func fault(in response: HTTPClientResponse) -> BankAnswer.Fault? {
        if case .fault(let fault) = read(response, "return") { return fault }
        return nil
    }

    private static func read(_ response: HTTPClientResponse, _ field: StaticString) -> BankAnswer? {
        let type = MediaType(response.headers["Content-Type"])
        return try? BankAnswer.read(response.body, field: field, charset: type.charset)
    }

    private static func describe(_ status: Int, _ fault: BankAnswer.Fault?) -> String {
        switch fault {
        case nil: "the bank answered HTTP \(status)"
        case .client: "the bank answered HTTP \(status): it finds fault with the call"
        case .security: "the bank answered HTTP \(status): it does not accept our credentials"
        case .server: "the bank answered HTTP \(status): its service failed"
        case .unknownClient: "the bank answered HTTP \(status): it does not know the client"
        }
    }
}
