// SPDX-License-Identifier: Apache-2.0

import Engine

/// What is stored of a large notification's recipients, packed on the thread of whoever sends it: the writer is the one
/// that everybody waits for.
struct PackedAcceptance: Sendable {
    /// The places of those for whom there is nothing to do.
    let closed: [Int]
    let chunks: [PackedChunk]
    /// The bank's order, where it is another than that of the deliveries.
    let order: [UInt8]?

    /// Packs recipients of whom it is known whether there is something to do for them; `nil` where that is to be looked
    /// up in the accepting transaction.
    init?(_ acceptance: Acceptance) {
        var closed: [Int] = []
        for (place, delivery) in acceptance.deliveries.enumerated() {
            guard let isOpen = delivery.isOpen else { return nil }
            if !isOpen { closed.append(place) }
        }
        self.init(acceptance, closed: closed)
    }

    init(_ acceptance: Acceptance, closed: [Int]) {
        self.closed = closed
        chunks = PackedChunk.pack(acceptance.deliveries, closed: closed)
        order = acceptance.order.map(BankOrder.encode)
    }
}
