// SPDX-License-Identifier: Apache-2.0

public import Bus
public import HTTP2

extension Outcome {
    /// What it means that a request was not sent.
    public init(_ failure: HTTP2Failure) {
        let reason = failure.description
        self =
            switch failure.kind {
            case .connect: .retry(after: nil, scope: .provider, reason: reason)
            case .tls: .unavailable(reason: reason)
            case .overloaded, .deadline, .closed: .retry(after: nil, scope: .delivery, reason: reason)
            case .invalid: .rejected(reason: reason)
            }
    }
}
