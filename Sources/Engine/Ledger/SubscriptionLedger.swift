// SPDX-License-Identifier: Apache-2.0

public import Bus

/// The devices that users are reached at.
public protocol SubscriptionLedger: AnyObject, Sendable {
    /// Reads the subscriptions of users, in the order of the users, newest registration first.
    ///
    /// What is asked for the urgent lane does not wait behind what is asked for the bulk one.
    func subscriptions(
        of users: [RecipientID],
        in pipeline: PipelineNumber,
        for lane: Queue.Lane,
        completion: @escaping Completion<[[Subscription]]>
    )

    /// Says for each user whether there is any subscription.
    func areSubscribed(
        _ users: [RecipientID],
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[Bool]>
    )

    /// Reads the subscriptions of a device, of one app or of all.
    func subscriptions(
        ofDevice deviceID: String,
        app: String?,
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[Subscription]>
    )

    /// Keeps a new subscription and ends, in one transaction, those it takes the place of: of the same app and
    /// device, and of the same platform and token; all of the user's where the registration wishes so.
    ///
    /// Completes with how many it took the place of.
    func subscribe(_ subscription: NewSubscription, completion: @escaping Completion<Int>)

    /// Gives a subscription what its app told anew; another subscription of the same platform and token ends.
    ///
    /// Completes with how many others ended; `nil` where the subscription is gone.
    func refresh(_ refresh: SubscriptionRefresh, completion: @escaping Completion<Int?>)

    /// Ends subscriptions, each only while it is as the condition says; returns how many ended.
    func end(_ subscriptions: [SubscriptionEnd], completion: @escaping Completion<Int>)

    /// Ends all subscriptions of a user; returns how many there were.
    func endAll(of user: RecipientID, in pipeline: PipelineNumber, completion: @escaping Completion<Int>)
}

extension SubscriptionLedger {
    /// Reads the subscriptions of users for somebody who waits.
    public func subscriptions(
        of users: [RecipientID],
        in pipeline: PipelineNumber,
        completion: @escaping Completion<[[Subscription]]>
    ) {
        subscriptions(of: users, in: pipeline, for: .urgent, completion: completion)
    }
}
