// SPDX-License-Identifier: Apache-2.0

import BankService
import Bus
import HTTPClient

/// What follows from a bank's answer, or from there being none.
///
/// A reason names the status and the kind of fault, and nothing of what the bank wrote: that may be about customers.
enum BankVerdict {
    /// What became of an event that was told: a fault in the answer says more than its status.
    static func outcome(_ response: HTTPClientResponse) -> Outcome {
        let status = response.status
        let fault = (200..<300).contains(status) ? nil : fault(in: response)
        let reason = describe(status, fault)
        if fault == .security { return .unavailable(reason: reason) }
        let isAboutOneEvent = fault == .client || fault == .unknownClient
        return BankService.outcome(response, reason: reason, isAboutOneEvent: isAboutOneEvent)
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
