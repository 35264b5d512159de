// SPDX-License-Identifier: Apache-2.0

import Bus
import PushService

/// A delivery on its way; a reference to its batch, so that nothing is copied.
struct Flight {
    let batch: Batch
    let index: Int
    /// Which access token it shows.
    var version = 0
    /// Whether the channel sends it for the second time by itself.
    var isRepeat = false

    var delivery: Delivery { batch.deliveries[index] }
}
