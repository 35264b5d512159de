// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import PushService

extension Judgement {
    /// What became of a request.
    init(_ result: HTTP2Outcome, now: WallTime) {
        switch result {
        case .response(let response): self.init(Answer(response, now: now))
        case .unsent(let failure): self.init(Outcome(failure))
        case .unknown(let why): self.init(.unknown(reason: why))
        }
    }

    private init(_ outcome: Outcome) { self.outcome = outcome }
}
