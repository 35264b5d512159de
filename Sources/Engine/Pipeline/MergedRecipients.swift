// SPDX-License-Identifier: Apache-2.0

import Bus

/// One delivery for each user, however often and in whatever spelling they were named.
struct MergedRecipients {
    private(set) var deliveries: [NewDelivery] = []
    /// Whose the spellings are, in the bank's order; `nil` where each user has one.
    private(set) var order: [Int]?

    init(_ recipients: [Recipient]) {
        guard recipients.count > 1 else {
            deliveries = recipients.map { NewDelivery(recipient: $0.id, spellings: [$0.spelling]) }
            return
        }
        var places: [RecipientID: Int] = [:]
        deliveries.reserveCapacity(recipients.count)
        for recipient in recipients {
            if let place = places[recipient.id] {
                add(recipient.spelling, at: place)
            } else {
                places[recipient.id] = deliveries.count
                order?.append(deliveries.count)
                deliveries.append(NewDelivery(recipient: recipient.id, spellings: [recipient.spelling]))
            }
        }
    }

    private mutating func add(_ spelling: RecipientID, at place: Int) {
        guard !deliveries[place].spellings.contains(spelling) else { return }
        // Up to the first of these, each had one.
        if order == nil { order = Array(deliveries.indices) }
        order?.append(place)
        deliveries[place].spellings.append(spelling)
    }

    /// Says of each, in turn, whether there is anything to do for them.
    mutating func know(_ isOpen: (Int) -> Bool) {
        for place in deliveries.indices { deliveries[place].isOpen = isOpen(place) }
    }
}
