// SPDX-License-Identifier: Apache-2.0

import Bus

extension AcceptedNotification {
    /// What the dispatcher has to do for it; `nil` where there is no open delivery.
    var event: Dispatch.Event? {
        let count = acceptance.deliveries.count
        guard closed.count < count else { return nil }
        let notification = OutgoingNotification(
            notification: acceptance.notification,
            sequence: sequence,
            acceptedAt: acceptance.at
        )
        var open: [(sequence: Int64, recipient: RecipientID)] = []
        open.reserveCapacity(count - closed.count)
        var closed = closed[...]
        for place in 0..<count {
            if closed.first == place {
                closed.removeFirst()
            } else {
                open.append((firstDelivery + Int64(place), acceptance.deliveries[place].recipient))
            }
        }
        return .accepted(notification, open, fallback: acceptance.fallback)
    }
}
