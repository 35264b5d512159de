// SPDX-License-Identifier: Apache-2.0

/// The bounds and waits of telling banks.
struct CallbackSettings: Sendable {
    /// Calls of one link in memory at most; what is more waits in the ledger.
    var window = 256
    /// Calls of one link under way at most.
    var calls = 32
    /// The waits between attempts.
    var retry = Backoff(initial: 1_000, max: 300_000)
    /// How long a call is tried before it is a dead letter, in milliseconds.
    var giveUpAfter: Int64 = 7 * 86_400_000
    /// How long after a failure of the ledger it is asked again, in milliseconds.
    var ledgerPause: Int64 = 1_000
    /// How long a link may take before it counts as silent, in milliseconds; far beyond any time limit of its own.
    var longestCall: Int64 = 900_000
}

extension CallbackSettings {
    init(_ delivery: DeliverySettings) {
        self.init()
        retry = Backoff(initial: delivery.retry.initial.milliseconds, max: delivery.retry.max.milliseconds)
        giveUpAfter = delivery.giveUpAfter.milliseconds
    }
}
