// SPDX-License-Identifier: Apache-2.0

import Bus

/// What a channel said to one attempt on one device or phone, without its reasons: what is counted.
public enum PushOutcome: Int, Sendable, CaseIterable {
    case accepted, retry, rejected, gone, unavailable, unknown

    init(_ outcome: Outcome) {
        self =
            switch outcome {
            case .accepted: .accepted
            case .retry: .retry
            case .rejected: .rejected
            case .gone: .gone
            case .unavailable: .unavailable
            case .unknown: .unknown
            }
    }
}
