// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine

extension MemoryLedger {
    /// Reads the subscriptions of users, in the order of the users, newest registration first.
    public func subscriptions(
        of users: [RecipientID],
        in pipeline: PipelineNumber,
        for lane: Queue.Lane,
        completion: @escaping Completion<[[Subscription]]>
    ) {
        read(completion) { tables in
            users.map { user in tables.subscriptions.list(in: pipeline) { $0.user == user } }
        }
    }

    /// Says for each user whether there is any subscription.
    public func areSubscribed(
        _ users: [RecipientID],
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[Bool]>
    ) {
        read(completion) { tables in users.map { tables.subscriptions.has($0, in: pipeline) } }
    }

    /// Reads the subscriptions of a device, of one app or of all.
    public func subscriptions(
        ofDevice deviceID: String,
        app: String?,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[Subscription]>
    ) {
        read(completion) { tables in
            tables.subscriptions.list(in: pipeline) { $0.deviceID == deviceID && app ?? $0.app == $0.app }
        }
    }

    /// Reads the subscription of a public name; `nil` where there is none.
    public func subscription(
        named subscriber: String,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<Subscription?>
    ) {
        read(completion) { $0.subscriptions.named(subscriber, in: pipeline) }
    }

    /// Keeps a new subscription and ends those it takes the place of; completes with how many.
    public func subscribe(_ subscription: NewSubscription, completion: @escaping Completion<Int>) {
        write(completion) { $0.tables.subscriptions.insert(subscription) }
    }

    /// Gives a subscription what its app told anew; completes with how many others ended, `nil` where it is gone.
    public func refresh(_ refresh: SubscriptionRefresh, completion: @escaping Completion<Int?>) {
        write(completion) { $0.tables.subscriptions.refresh(refresh) }
    }

    /// Ends subscriptions, each only while it is as the condition says; returns how many ended.
    public func end(_ subscriptions: [SubscriptionEnd], completion: @escaping Completion<Int>) {
        write(completion) { transaction in
            subscriptions.count { transaction.tables.subscriptions.end($0) != nil }
        }
    }

    /// Ends all subscriptions of a user; returns how many there were.
    public func endAll(of user: RecipientID, in pipeline: PipelineNumber, completion: @escaping Completion<Int>) {
        write(completion) { $0.endAll(of: user, in: pipeline) }
    }

    // MARK: Signs of life

    /// Says how fine the signs of a pipeline's subscriptions are kept, in milliseconds.
    public func keepLastSeen(_ pipeline: PipelineNumber, every interval: Int64, completion: @escaping Completion<Void>)
    {
        write(completion) { $0.tables.pipelines.keepLastSeen(pipeline, every: interval) }
    }

    /// Ends subscriptions whose last sign is older than `before`, at most `limit`; returns how many ended.
    public func endSilent(
        _ pipeline: PipelineNumber,
        before: WallTime,
        limit: Int,
        completion: @escaping Completion<Int>
    ) {
        write(completion) { $0.endSilent(pipeline, before: before, limit: limit) }
    }

    /// Keeps that an app told an event.
    public func note(_ event: NewAppEvent, completion: @escaping Completion<Void>) {
        write(completion) { $0.note(event) }
    }
}
