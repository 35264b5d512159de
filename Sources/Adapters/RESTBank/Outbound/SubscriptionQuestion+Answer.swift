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
        let body = JSONValue(bankAnswer: response.body)
        // Without a code it may be any server that does not know the path.
        if status == 404, body?["code"]?.string?.isEmpty == false { throw .unknownClient }
        guard (200..<300).contains(status) else { throw .notUnderstood("the bank answered HTTP \(status)") }
        guard let body else { throw .notUnderstood("the bank answered HTTP \(status) without JSON") }
        switch (self, body["authorized"]?.bool, body["result"]?.string) {
        case (.isAuthorized, let isAuthorized?, _): return isAuthorized
        case (.authorize, _, "OK"), (.verify, _, "OK"): return true
        case (.authorize, _, "ERROR"), (.verify, _, "VERIFICATION_FAILED"): return false
        default: throw .notUnderstood("the bank answered HTTP \(status) with none of the results it may give")
        }
    }
}

extension JSONValue {
    /// What a bank answered, without the byte order mark that Windows' programs write; `nil` where it is no JSON.
    fileprivate init?(bankAnswer bytes: [UInt8]) {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        do { try self.init(parsing: bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes) } catch { return nil }
    }
}
