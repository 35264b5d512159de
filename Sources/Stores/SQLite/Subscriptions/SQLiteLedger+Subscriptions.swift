// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine

extension SQLiteLedger {
    /// Reads the subscriptions of users, in the order of the users, newest registration first.
    public func subscriptions(
        of users: [RecipientID],
        in pipeline: PipelineNumber,
        for lane: Queue.Lane,
        completion: @escaping Completion<[[Subscription]]>
    ) {
        read(for: lane == .urgent ? .somebody : .bulk, completion) {
            try $0.subscriptions.subscriptions(of: users, in: pipeline)
        }
    }

    private static let asksForMany = 1_000

    /// Says for each user whether there is any subscription.
    public func areSubscribed(
        _ users: [RecipientID],
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[Bool]>
    ) {
        // Those of a large notification would hold up everybody who asks for one.
        let line: ReadLine = users.count > Self.asksForMany ? .bulk : .somebody
        read(for: line, completion) { try $0.subscriptions.areSubscribed(users, in: pipeline) }
    }

    /// Reads the subscriptions of a device, of one app or of all.
    public func subscriptions(
        ofDevice deviceID: String,
        app: String?,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[Subscription]>
    ) {
        read(completion) { try $0.subscriptions.subscriptions(ofDevice: deviceID, app: app, in: pipeline) }
    }

    /// Keeps a new subscription and ends those it takes the place of.
    public func subscribe(_ subscription: NewSubscription, completion: @escaping Completion<Int>) {
        write(.subscribe(subscription, completion), weight: 1)
    }

    /// Gives a subscription what its app told anew; another subscription of the same app and token ends.
    public func refresh(_ refresh: SubscriptionRefresh, completion: @escaping Completion<Int?>) {
        write(.refresh(refresh, completion), weight: 1)
    }

    /// Ends subscriptions, each only while it is as the condition says; returns how many ended.
    public func end(_ subscriptions: [SubscriptionEnd], completion: @escaping Completion<Int>) {
        write(.end(subscriptions, completion), weight: subscriptions.count)
    }

    /// Ends all subscriptions of a user; returns how many there were.
    public func endAll(of user: RecipientID, in pipeline: PipelineNumber, completion: @escaping Completion<Int>) {
        write(.endAll(user, pipeline, completion), weight: 1)
    }
}
