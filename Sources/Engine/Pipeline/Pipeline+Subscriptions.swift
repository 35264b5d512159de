// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Threads

extension Pipeline {
    /// Registers a device, or brings up to date what is known of it where its subscriber asks.
    func register(_ registration: Registration) async -> Reply {
        guard platforms.contains(registration.platform) else {
            return .refused(Refusal(field: "platform", "is served by no channel of this pipeline"))
        }
        let existing: [Subscription]
        switch await subscriptions(of: registration.deviceID, app: registration.app) {
        case .failure(let error): return reply(error)
        case .success(let found): existing = found
        }
        let own = existing.filter { $0.user == registration.user.id && isAllowed(registration.credential, $0) }
        for subscription in own {
            let refresh = SubscriptionRefresh(
                subscription: subscription.sequence,
                token: registration.token,
                registration: registration,
                at: .now()
            )
            switch await completed({ ledger.refresh(refresh, completion: $0) }) {
            case .failure(let error): return reply(error)
            case .success(let replaced?):
                subscriptionEnds.note(.replaced, replaced)
                return .subscribed(subscriber: subscription.subscriber, secret: nil)
            case .success(nil): break
            }
        }
        switch registration.authorization {
        case .open: return await subscribe(registration)
        case .bank: return await askBank(about: registration)
        case .smsCode: return await sendCode(for: registration)
        }
    }

    /// Keeps a new subscription: at once, or in place of the registration that waited for it.
    func subscribe(_ registration: Registration, confirming pending: Int64? = nil) async -> Reply {
        let secret = Base64.encode(SecureRandom.bytes(32), .url)
        let subscription = NewSubscription(
            pipeline: number,
            registration: registration,
            subscriber: Hex.encode(SecureRandom.bytes(16)),
            secretHash: SHA256.hash(secret).bytes,
            at: .now()
        )
        let result: Result<Int?, LedgerError>
        if let pending {
            result = await completed { ledger.subscribe(subscription, confirming: pending, completion: $0) }
        } else {
            result = await completed { ledger.subscribe(subscription, completion: $0) }.map { $0 }
        }
        switch result {
        case .failure(let error): return reply(error)
        case .success(nil): return .notFound
        case .success(let replaced?):
            subscriptionEnds.note(.replaced, replaced)
            return .subscribed(subscriber: subscription.subscriber, secret: secret)
        }
    }

    /// Gives a device another token.
    func updateToken(_ update: TokenUpdate) async -> Reply {
        switch await authorized(update.deviceID, of: update.app, update.credential) {
        case .failure(let refusal): return refusal.reply
        case .success(let subscription):
            let token: String
            switch DeviceToken.normalized(update.token, for: subscription.platform) {
            case .failure(let refusal): return .refused(refusal)
            case .success(let valid): token = valid
            }
            let refresh = SubscriptionRefresh(
                subscription: subscription.sequence,
                token: token,
                registration: nil,
                at: .now()
            )
            switch await completed({ ledger.refresh(refresh, completion: $0) }) {
            case .failure(let error): return reply(error)
            case .success(nil): return .unauthorized
            case .success(let replaced?):
                subscriptionEnds.note(.replaced, replaced)
                return .done
            }
        }
    }

    /// Ends the subscription of a device.
    func unsubscribe(_ deviceID: String, of app: String?, _ credential: Credential) async -> Reply {
        switch await authorized(deviceID, of: app, credential) {
        case .failure(let refusal): return refusal.reply
        case .success(let subscription):
            switch await completed({
                ledger.end([SubscriptionEnd(subscription: subscription.sequence)], completion: $0)
            }) {
            case .failure(let error): return reply(error)
            case .success(let count):
                subscriptionEnds.note(.unregistered, count)
                return .done
            }
        }
    }

    /// Ends all subscriptions of a user, as their bank wishes.
    func unsubscribe(_ user: Recipient) async -> Reply {
        switch await completed({ ledger.endAll(of: user.id, in: number, completion: $0) }) {
        case .failure(let error): return reply(error)
        case .success(let count):
            subscriptionEnds.note(.deleted, count)
            return count > 0 ? .done : .notFound
        }
    }

    private struct Denied: Error {
        let reply: Reply
    }

    private func authorized(
        _ deviceID: String,
        of app: String?,
        _ credential: Credential
    ) async -> Result<Subscription, Denied> {
        switch await subscriptions(of: deviceID, app: app) {
        case .failure(let error): return .failure(Denied(reply: reply(error)))
        case .success(let found):
            if let own = found.first(where: { isAllowed(credential, $0) }) { return .success(own) }
            // A stranger learns nothing: no such device and a wrong secret look the same.
            return .failure(Denied(reply: credential == .trusted ? .notFound : .unauthorized))
        }
    }

    private func subscriptions(of deviceID: String, app: String?) async -> Result<[Subscription], LedgerError> {
        await completed { ledger.subscriptions(ofDevice: deviceID, app: app, in: number, completion: $0) }
    }

    func isAllowed(_ credential: Credential, _ subscription: Subscription) -> Bool {
        switch credential {
        case .none: false
        case .trusted: true
        case .secret(let secret): ConstantTime.equal(SHA256.hash(secret).bytes, subscription.secretHash)
        }
    }
}
