// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import Testing

@Suite("Rules: subscriptions")
struct SubscriptionRuleTests {
    private static let places: [SubscriptionPlace] = ["anna", "boris"].flatMap { user in
        ["retail", "office"].flatMap { app in
            ["one", "two"].flatMap { device in
                Platform.allCases.flatMap { platform in
                    ["aa", "bb"].map {
                        SubscriptionPlace(
                            user: RecipientID(user),
                            app: app,
                            deviceID: device,
                            platform: platform,
                            token: $0
                        )
                    }
                }
            }
        }
    }

    private func registration(_ place: SubscriptionPlace, isOnly: Bool = false) -> Registration {
        var registration = Registration(
            app: place.app,
            user: Recipient(place.user),
            deviceID: place.deviceID,
            platform: place.platform,
            token: place.token
        )
        registration.endsOtherDevices = isOnly
        return registration
    }

    @Test("After a registration nobody shares its app's device or its address, and nobody else is touched")
    func replacing() {
        for new in Self.places {
            #expect(SubscriptionPlace(registration(new)) == new)
            for old in Self.places {
                let sharesDevice = new.app == old.app && new.deviceID == old.deviceID
                let sharesAddress = new.platform == old.platform && new.token == old.token
                #expect(SubscriptionRule.replaces(registration(new), old) == (sharesDevice || sharesAddress))
                let only = SubscriptionRule.replaces(registration(new, isOnly: true), old)
                #expect(only == (sharesDevice || sharesAddress || new.user == old.user))
                // What was ended by mistake comes back just where a registration would not have ended it.
                let returns = SubscriptionRule.comesBack(old, beside: [new])
                #expect(returns == !SubscriptionRule.replaces(registration(new), old))
            }
        }
        #expect(SubscriptionRule.comesBack(Self.places[0], beside: []))
    }

    @Test("A refresh moves the address and leaves whose and where")
    func refreshing() {
        for old in Self.places {
            for new in Self.places {
                for isWhole in [true, false] {
                    let refresh = SubscriptionRefresh(
                        subscription: 1,
                        token: new.token,
                        registration: isWhole ? registration(new) : nil,
                        at: .noon
                    )
                    let place = SubscriptionRule.place(of: old, after: refresh)
                    #expect(place.user == old.user && place.isDevice(of: old) && place.token == new.token)
                    #expect(place.platform == (isWhole ? new.platform : old.platform))
                }
            }
        }
    }

    @Test("A verdict is void after a new token, a newer registration or a success")
    func verdicts() {
        for onlyToken in [nil, "aa", "bb"] {
            for tokenAt in [-1, 0, 1] as [Int64] {
                let end = SubscriptionEnd(subscription: 1, onlyToken: onlyToken, registeredUntil: .noon)
                let ends = SubscriptionRule.ends(end, token: "aa", tokenAt: .noon + tokenAt)
                #expect(ends == (onlyToken != "bb" && tokenAt <= 0))
                for success in [nil, -1, 10, 11] as [Int64?] {
                    let stands = SubscriptionRule.stands(
                        InvalidToken(end: end, reason: "410", at: .noon + 10),
                        token: "aa",
                        tokenAt: .noon + tokenAt,
                        lastSuccess: success.map { .noon + $0 }
                    )
                    #expect(stands == (ends && success != 11))
                }
            }
        }
    }

    @Test("The last sign is the latest of its kinds, and one is written once in an interval")
    func signs() {
        let times: [WallTime?] = [nil, .noon + 1, .noon + 2]
        for success in times {
            for seen in times {
                let last = SubscriptionRule.lastSeen(tokenAt: .noon, lastSuccess: success, seen: seen)
                #expect(last == [.noon, success, seen].compactMap(\.self).max())
            }
        }
        #expect(SubscriptionRule.isWorthNoting(at: .noon, after: nil, every: 1_000))
        #expect(SubscriptionRule.isWorthNoting(at: .noon, after: .noon + -1_000, every: 1_000))
        #expect(!SubscriptionRule.isWorthNoting(at: .noon, after: .noon + -999, every: 1_000))
        #expect(!SubscriptionRule.isWorthNoting(at: .noon, after: .noon + 5, every: 1_000))
    }
}
