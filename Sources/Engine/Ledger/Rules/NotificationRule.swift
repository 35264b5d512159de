// SPDX-License-Identifier: Apache-2.0

package import Bus

/// What is kept of a notification beside its deliveries, and what of it is shown: pure, on any thread.
package enum NotificationRule {
    /// What is to be done when its time has passed, as its acceptance decides.
    package struct Aftermath: Sendable, Equatable {
        /// Its content is a PIN code's, and is erased.
        package var erases: Bool
        /// Its bank hears who had no receipt.
        package var tellsUnconfirmed: Bool

        /// Whether there is anything.
        package var any: Bool { erases || tellsUnconfirmed }

        /// Describes what is left to do.
        package init(erases: Bool, tellsUnconfirmed: Bool) {
            self.erases = erases
            self.tellsUnconfirmed = tellsUnconfirmed
        }
    }

    /// What is left to do after its acceptance; `isWanted` says whether a bank asks who had no receipt.
    package static func aftermath(of notification: Notification, unconfirmedIsWanted isWanted: Bool) -> Aftermath {
        Aftermath(erases: notification.content.type == .pinCode, tellsUnconfirmed: isWanted)
    }

    /// A notification as its bank may see it: a PIN code's content is gone when its time has passed, or all read it.
    package static func shown(
        _ notification: Notification,
        accepted: WallTime,
        expires: WallTime,
        isReadByAll: Bool,
        now: WallTime
    ) -> Notification {
        let isOver = isReadByAll || now >= NotificationTime.end(accepted: accepted, expires: expires)
        return notification.content.type == .pinCode && isOver ? notification.erased : notification
    }

    /// Its details as the app of one of its recipients may see them: a PIN code's are gone when they have read it.
    package static func shownDetails(
        _ notification: Notification,
        accepted: WallTime,
        expires: WallTime,
        recipients: Int,
        status: DeliveryStatus,
        now: WallTime
    ) -> PushDetails? {
        let isOver = status == .read || now >= NotificationTime.end(accepted: accepted, expires: expires)
        if notification.content.type == .pinCode, isOver { return nil }
        return notification.details?.shown(hidesPhone: recipients == 1)
    }

    /// Puts what belongs to deliveries into the bank's order, which names a delivery for each element.
    ///
    /// `elements` has each delivery's in the bank's order. An order that is none of just these leaves them as they are.
    package static func arrange<Element>(_ elements: [[Element]], by order: [Int]?) -> [Element] {
        guard let order, order.count == elements.reduce(0, { $0 + $1.count }) else { return elements.flatMap(\.self) }
        var next = [Int](repeating: 0, count: elements.count)
        var arranged: [Element] = []
        for place in order {
            guard elements.indices.contains(place), next[place] < elements[place].count else {
                return elements.flatMap(\.self)
            }
            arranged.append(elements[place][next[place]])
            next[place] += 1
        }
        return arranged
    }
}

extension Subscription {
    /// What it is after its app told anew; what the app left out stays.
    package func refreshed(by refresh: SubscriptionRefresh) -> Subscription {
        Subscription(
            sequence: sequence,
            subscriber: subscriber,
            user: user,
            app: app,
            deviceID: deviceID,
            platform: refresh.registration?.platform ?? platform,
            token: refresh.token,
            tokenAt: refresh.at,
            secretHash: secretHash,
            phone: refresh.registration?.phone ?? phone,
            lastSuccess: lastSuccess
        )
    }
}
