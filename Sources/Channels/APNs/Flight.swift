// SPDX-License-Identifier: Apache-2.0

import Bus
import PushService

/// A delivery on its way; a reference to its batch, so that nothing is copied.
struct Flight {
    let batch: Batch
    let index: Int
    /// Which pool took it.
    let generation: Int
    /// Which token it shows.
    let version: Int
    /// Whether the channel sends it for the second time by itself.
    let isRepeat: Bool

    var delivery: Delivery { batch.deliveries[index] }
}
