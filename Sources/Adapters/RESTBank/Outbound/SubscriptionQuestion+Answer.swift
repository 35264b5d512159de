// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient
import JSON

extension SubscriptionQuestion {
    /// The last part of the path at which it is asked.
    var verb: StaticString {
        switch self {
        case .isAuthorized: "check"
        case .authorize: "authorize"
        case .verify: "verify"
        }
    }

    /// What the bank said.
    ///
    /// A reason names the status, and nothing of what the bank wrote: that may be about customers.
    func answer(in response: HTTPClientResponse) throws(BankLinkError) -> Bool {
        let status = response.status
        let body = try? JSONValue(parsing: response.body)
        // Without a code it may be any server that does not know the path.
        if status == 404, body?["code"]?.string?.isEmpty == false { throw .unknownClient }
        guard (200..<300).contains(status) else { throw .unreachable("the bank answered HTTP \(status)") }
        switch (self, body?["authorized"]?.bool, body?["result"]?.string) {
        case (.isAuthorized, let isAuthorized?, _): return isAuthorized
        case (.authorize, _, "OK"), (.verify, _, "OK"): return true
        case (.authorize, _, "ERROR"), (.verify, _, "VERIFICATION_FAILED"): return false
        default: throw .unreachable("the bank's answer holds none of the results it may have")
        }
    }
}
