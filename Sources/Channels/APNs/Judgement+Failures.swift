// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2

extension Judgement {
    /// What it means that there was no answer.
    init(_ failure: HTTP2Failure) {
        let reason = failure.description
        outcome =
            switch failure.kind {
            case .connect: .retry(after: nil, scope: .provider, reason: reason)
            case .tls: .unavailable(reason: reason)
            case .overloaded, .deadline, .closed: .retry(after: nil, scope: .delivery, reason: reason)
            case .invalid: .rejected(reason: reason)
            }
    }

    /// What became of a request.
    init(_ outcome: HTTP2Outcome, now: Int64) {
        switch outcome {
        case .response(let response): self.init(Answer(response, now: now))
        case .unsent(let failure): self.init(failure)
        case .unknown(let why): self.init(unknown: why)
        }
    }

    private init(unknown why: String) { outcome = .unknown(reason: why) }
}
