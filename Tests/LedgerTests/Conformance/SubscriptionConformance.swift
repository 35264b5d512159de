// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import LedgerTesting
import Testing

@Suite("Any ledger keeps subscriptions", .timeLimit(.minutes(1)))
struct SubscriptionConformance {
    @Test("Users are answered in their order, newest device first", arguments: LedgerKind.allCases)
    func order(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let other = try ledger.pipeline(named: "other")
            try await ledger.subscribe(.sample("anna", in: bank, device: "old", token: "01"))
            try await ledger.subscribe(.sample("anna", in: bank, device: "new", token: "02"))
            try await ledger.subscribe(.sample("e\u{301}", in: bank, device: "third", token: "03"))
            try await ledger.subscribe(.sample("boris", in: other, device: "old", token: "01"))
            let found = try await ledger.subscriptions(of: ["boris", "anna", "é"], in: bank)
            #expect(found.map { $0.map(\.deviceID) } == [[], ["new", "old"], []])
            #expect(try await ledger.areSubscribed(["e\u{301}", "é", "anna"], in: bank) == [true, false, true])
            let newest = try #require(found[1].first)
            #expect(newest.user == "anna")
            #expect(newest.app == "retail")
            #expect(newest.platform == .ios)
            #expect(newest.token == "02")
            #expect(newest.tokenAt == .noon)
            #expect(newest.secretHash == [1, 2, 3])
            #expect(newest.phone == "+375290000000")
            #expect(newest.subscriber == "subscriber of anna")
        }
    }

    @Test("A registration takes the place of its device's and its token's", arguments: LedgerKind.allCases)
    func replaced(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            try await ledger.subscribe(.sample("anna", in: bank, device: "d1", token: "01"))
            try await ledger.subscribe(.sample("boris", in: bank, device: "d1", token: "02"))
            #expect(try await ledger.areSubscribed(["anna", "boris"], in: bank) == [false, true])
            try await ledger.subscribe(.sample("clara", in: bank, device: "d2", token: "02"))
            #expect(try await ledger.areSubscribed(["boris", "clara"], in: bank) == [false, true])
            try await ledger.subscribe(.sample("dora", in: bank, app: "business", device: "d2", token: "03"))
            #expect(try await ledger.areSubscribed(["clara", "dora"], in: bank) == [true, true])
            let devices = try await ledger.subscriptions(ofDevice: "d2", app: nil, in: bank)
            #expect(devices.map(\.user) == ["dora", "clara"])
            let one = try await ledger.subscriptions(ofDevice: "d2", app: "retail", in: bank)
            #expect(one.map(\.user) == ["clara"])
        }
    }

    @Test("A token lives once a pipeline and platform, whatever app it is given for", arguments: LedgerKind.allCases)
    func oneToken(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let other = try ledger.pipeline(named: "other")
            try await ledger.subscribe(.sample("anna", in: bank, app: "retail", device: "d1", token: "01"))
            try await ledger.subscribe(.sample("anna", in: other, app: "retail", device: "d1", token: "01"))
            try await ledger.subscribe(.sample("boris", in: bank, app: "business", device: "d2", token: "01"))
            #expect(try await ledger.areSubscribed(["anna", "boris"], in: bank) == [false, true])
            #expect(try await ledger.areSubscribed(["anna"], in: other) == [true])
            try await ledger.subscribe(
                .sample("clara", in: bank, app: "business", device: "d3", token: "01", platform: .android)
            )
            #expect(try await ledger.areSubscribed(["boris", "clara"], in: bank) == [true, true])
            try await ledger.subscribe(.sample("dora", in: bank, app: "retail", device: "d4", token: "02"))
            let dora = try #require(try await ledger.subscriptions(of: ["dora"], in: bank)[0].first)
            let refresh = SubscriptionRefresh(subscription: dora.sequence, token: "01", registration: nil, at: .noon)
            #expect(try await ledger.refresh(refresh) != nil)
            #expect(try await ledger.areSubscribed(["boris", "clara", "dora"], in: bank) == [false, true, true])
        }
    }

    @Test("Of devices that end the others, exactly one remains", arguments: LedgerKind.allCases)
    func overriding(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            let other = try ledger.pipeline(named: "other")
            try await ledger.subscribe(.sample("anna", in: bank, device: "old", token: "01"))
            try await ledger.subscribe(.sample("boris", in: bank, device: "his", token: "02"))
            try await ledger.subscribe(.sample("anna", in: other, device: "old", token: "01"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 10..<30 {
                    let new = NewSubscription.sample(
                        "anna",
                        in: bank,
                        device: "d\(number)",
                        token: "\(number)",
                        isOnly: true
                    )
                    group.addTask { try await ledger.subscribe(new) }
                }
                try await group.waitForAll()
            }
            #expect(try await ledger.subscriptions(of: ["anna"], in: bank)[0].count == 1)
            #expect(try await ledger.areSubscribed(["boris"], in: bank) == [true])
            #expect(try await ledger.areSubscribed(["anna"], in: other) == [true])
        }
    }

    @Test("A refresh changes what it tells and ends who had the token", arguments: LedgerKind.allCases)
    func refreshed(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            try await ledger.subscribe(.sample("anna", in: bank, device: "d1", token: "01"))
            try await ledger.subscribe(.sample("boris", in: bank, device: "d2", token: "02"))
            let anna = try #require(try await ledger.subscriptions(of: ["anna"], in: bank)[0].first)
            let refresh = SubscriptionRefresh(
                subscription: anna.sequence,
                token: "02",
                registration: nil,
                at: .noon + 5
            )
            #expect(try await ledger.refresh(refresh) != nil)
            let after = try #require(try await ledger.subscriptions(of: ["anna"], in: bank)[0].first)
            #expect(after.sequence == anna.sequence)
            #expect(after.token == "02")
            #expect(after.tokenAt == .noon + 5)
            #expect(after.phone == anna.phone)
            #expect(try await ledger.areSubscribed(["boris"], in: bank) == [false])
            #expect(try await ledger.endAll(of: "anna", in: bank) == 1)
            #expect(try await ledger.refresh(refresh) == nil)
        }
    }

    @Test("A verdict ends only what it was passed on", arguments: LedgerKind.allCases)
    func conditions(kind: LedgerKind) async throws {
        try await withLedger(kind) { ledger in
            let bank = try ledger.pipeline(named: "bank")
            try await ledger.subscribe(.sample("anna", in: bank, device: "d1", token: "01"))
            try await ledger.subscribe(.sample("anna", in: bank, device: "d2", token: "02"))
            let numbers = try await ledger.subscriptions(of: ["anna"], in: bank)[0].map(\.sequence)
            let stale = SubscriptionEnd(subscription: numbers[0], onlyToken: "02", registeredUntil: .noon - 1)
            let foreign = SubscriptionEnd(subscription: numbers[0], onlyToken: "99")
            #expect(try await ledger.end([stale, foreign]) == 0)
            let right = SubscriptionEnd(subscription: numbers[0], onlyToken: "02", registeredUntil: .noon)
            #expect(try await ledger.end([right, right]) == 1)
            #expect(try await ledger.subscriptions(of: ["anna"], in: bank)[0].map(\.token) == ["01"])
            #expect(try await ledger.endAll(of: "anna", in: bank) == 1)
            #expect(try await ledger.endAll(of: "anna", in: bank) == 0)
        }
    }
}
