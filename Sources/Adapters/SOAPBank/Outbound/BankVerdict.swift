// SPDX-License-Identifier: Apache-2.0

import BankService
import Bus
import HTTPClient

/// What follows from a bank's answer, or from there being none.
///
/// A reason names the status and the kind of content or fault, and nothing of what the bank wrote: that may be about
/// customers.
enum BankVerdict {
    /// What became of an event that was told.
    ///
    /// A bank has it when it says so in SOAP, or has nothing to say at 202 and 204. A page of a portal with 200, or
    /// nothing, is some other server's word; a fault is a fault whatever its status, and says more than that.
    static func outcome(of operation: BankCall.Operation, _ response: HTTPClientResponse) -> Outcome {
        let status = response.status
        if [202, 204].contains(status), BodyKind.looking(at: response.body) == .empty { return .accepted }
        do throws(BankAnswer.NotSOAP) {
            switch try read(response, operation, "return") {
            case .response:
                return BankService.outcome(response, reason: "the bank answered HTTP \(status)")
            case .fault(let fault):
                let reason = describe(status, fault)
                if fault == .security { return .unavailable(reason: reason) }
                let isAboutOneEvent = fault == .client || fault == .unknownClient
                return BankService.outcome(response, reason: reason, isTaken: false, isAboutOneEvent: isAboutOneEvent)
            }
        } catch {
            return BankService.outcome(response, reason: describe(status, error.kind), isTaken: false)
        }
    }

    /// What a bank said to a question.
    static func answer(
        to question: SubscriptionQuestion,
        _ response: HTTPClientResponse
    ) throws(BankLinkError) -> Bool {
        let status = response.status
        let answer: BankAnswer
        do throws(BankAnswer.NotSOAP) {
            answer = try read(response, BankCall(question).operation, question.field)
        } catch {
            throw .notUnderstood(describe(status, error.kind))
        }
        switch answer {
        case .fault(.unknownClient): throw .unknownClient
        case .fault(let fault): throw .notUnderstood(describe(status, fault))
        case .response(let value):
            guard (200..<300).contains(status) else { throw .notUnderstood("the bank answered HTTP \(status)") }
            guard let result = question.result(value) else {
                throw .notUnderstood("the bank answered HTTP \(status) with none of the results it may give")
            }
            return result
        }
    }

    private static func read(
        _ response: HTTPClientResponse,
        _ operation: BankCall.Operation,
        _ field: StaticString
    ) throws(BankAnswer.NotSOAP) -> BankAnswer {
        let type = MediaType(response.headers["Content-Type"])
        return try BankAnswer.read(response.body, to: operation, field: field, type: type)
    }

    private static func describe(_ status: Int, _ kind: BodyKind) -> String {
        "the bank answered HTTP \(status) with \(kind.description)"
    }

    private static func describe(_ status: Int, _ fault: BankAnswer.Fault) -> String {
        let said = "the bank answered HTTP \(status) with a fault"
        return switch fault {
        case .client: "\(said): it finds fault with the call"
        case .security: "\(said): it does not accept our credentials"
        case .server: "\(said): its service failed"
        case .unknownClient: "\(said): it does not know the client"
        }
    }
}

extension SubscriptionQuestion {
    /// The name of the value in an answer.
    fileprivate var field: StaticString { if case .isAuthorized = self { "authorized" } else { "result" } }

    /// What a value means, whatever its capitals; `nil` where it is none of those an answer may have.
    fileprivate func result(_ value: String?) -> Bool? {
        switch (self, value?.uppercased()) {
        case (.isAuthorized, "TRUE"), (.isAuthorized, "1"), (.authorize, "OK"), (.verify, "OK"): true
        case (.isAuthorized, "FALSE"), (.isAuthorized, "0"), (.authorize, "ERROR"): false
        case (.verify, "VERIFICATION_FAILED"): false
        default: nil
        }
    }
}
