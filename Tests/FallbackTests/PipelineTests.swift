// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import Engine

@Suite("A pipeline with a channel for phones", .timeLimit(.minutes(1)))
struct PipelineTests {
    private static func with(
        after: String = "30s",
        when: String = "{ type: PIN_CODE }",
        _ body: (Bank) async throws -> Void
    ) async throws {
        let bank = try await Bank(after: after, when: when)
        try await body(bank)
        await bank.close()
    }

    @Test("A PIN code for somebody without a device is sent to the number that the bank gives")
    func tagged() async throws {
        try await Self.with { bank in
            let reply = await bank.send(phone: "+375290000009", isStrict: true)
            #expect(reply == .accepted([RecipientStatus("anna", .queued)]))
            await bank.reach(.sent)
            #expect(bank.ends.texts.map(\.delivery.address) == [.phone("+375290000009")])
            #expect(bank.ends.texts.allSatisfy { $0.delivery.notification.notification.details == nil })
            let steps = await bank.steps()
            #expect(steps == ["accepted", "fallback text no device", "sent text"], "\(steps)")
        }
    }

    @Test(
        "Nobody else without a device is anything but INVALID_SUBSCRIPTION",
        arguments: [
            (["anna"], nil, .pinCode, "{ type: PIN_CODE }"), (["anna"], "+375290000009", .url, "{ type: PIN_CODE }"),
            (["anna"], "+375290000009", .pinCode, "{ priority: '>=9' }"),
            (["anna"], "", .pinCode, "{ type: PIN_CODE }"),
            (["anna", "boris"], "+375290000009", .pinCode, "{ type: PIN_CODE }"),
        ] as [([RecipientID], String?, NotificationType, String)]
    )
    func invalid(users: [RecipientID], phone: String?, type: NotificationType, when: String) async throws {
        try await Self.with(when: when) { bank in
            let reply = await bank.send(to: users, phone: phone, type: type)
            #expect(reply == .accepted(users.map { RecipientStatus($0, .invalidSubscription) }))
            let strict = await bank.send("n2", to: users, phone: phone, type: type, isStrict: true)
            #expect(strict == .refused(Refusal(field: "recipients", "holds users who have no device")))
            #expect(bank.ends.texts.isEmpty)
        }
    }

    @Test("Each recipient has his own status, in the bank's order, however many there are", arguments: [3, 17, 100])
    func mixed(count: Int) async throws {
        try await Self.with { bank in
            let users = (0..<count).map { RecipientID("user\($0 * 7 % count)") }
            for place in stride(from: 0, to: count, by: 3) { _ = await bank.register(users[place]) }
            let reply = await bank.send(to: users, type: .url)
            let expected = users.enumerated().map { place, user in
                RecipientStatus(user, place % 3 == 0 ? .queued : .invalidSubscription)
            }
            #expect(reply == .accepted(expected))
        }
    }

    @Test("A push of a PIN code is not kept long beyond its text message; other pushes are")
    func expiration() async throws {
        try await Self.with { bank in
            _ = await bank.register("anna")
            _ = await bank.register("boris", phone: nil)
            _ = await bank.send("n1", to: ["anna", "boris"])
            _ = await bank.send("n2", to: ["anna"], type: .url)
            await bank.reach(.sent, "n1")
            await bank.reach(.sent, "n2")
            let left = bank.ends.pushes.map { sent in
                sent.delivery.expiration?.milliseconds(since: sent.delivery.notification.acceptedAt) ?? 0
            }
            #expect(left.sorted().map { ($0 + 500) / 1_000 } == [60, 600, 600])
        }
    }

    @Test("A receipt in time leaves the gateway alone, and the wait for it is in the timeline")
    func receipt() async throws {
        try await Self.with(after: "2s") { bank in
            guard case .subscribed(let subscriber, let secret?) = await bank.register("anna") else {
                Issue.record("not subscribed")
                return
            }
            _ = await bank.send()
            await bank.reach(.sent)
            #expect(await bank.steps().contains { $0.hasPrefix("sent push fallback at ") })
            let receipt = Receipt(
                notification: "n1",
                subscriber: subscriber,
                event: .delivered,
                button: nil,
                credential: .secret(secret)
            )
            #expect(await bank.pipeline.submit(.receipt(receipt)) == .done)
            #expect(await bank.steps() == ["accepted", "sent push", "delivered"])
            while bank.pipeline.metrics.depth(.urgent) > 0 { try await Task.sleep(for: .milliseconds(5)) }
            _ = await bank.send("n2")
            await bank.ends.waitForTexts(1)
            #expect(bank.ends.texts.map(\.delivery.notification.notification.id) == ["n2"])
        }
    }

    @Test("What a phone tells is counted for the channel that reached it, each status once")
    func counted() async throws {
        try await Self.with { bank in
            guard case .subscribed(let subscriber, let secret?) = await bank.register("anna") else {
                Issue.record("not subscribed")
                return
            }
            _ = await bank.send("n0", to: ["boris", "clara"], type: .url)
            _ = await bank.send("n1", to: ["anna"], type: .url)
            await bank.reach(.sent)
            for event in [Receipt.Event.dismissed, .opened, .clicked, .delivered] {
                let receipt = Receipt(
                    notification: "n1",
                    subscriber: subscriber,
                    event: event,
                    button: nil,
                    credential: .secret(secret)
                )
                #expect(await bank.pipeline.submit(.receipt(receipt)) == .done)
            }
            let counts = bank.pipeline.metrics.ended().filter { $0.count > 0 }
            let texts = counts.map { "\($0.channel ?? "none") \($0.status.rawValue) \($0.count)" }
            #expect(texts == ["push SENT 1", "push DELIVERED 1", "push READ 1", "none INVALID_SUBSCRIPTION 2"])
        }
    }

    @Test("A gateway's report is believed with its reference only, and counts once")
    func reports() async throws {
        try await Self.with { bank in
            _ = await bank.send(phone: "+375290000009")
            await bank.reach(.sent)
            let reference = try #require(bank.ends.texts.first?.delivery.reference)
            for forged in ["", "-", "1", "1-", "2-" + reference.dropFirst(2), reference + "0", reference.uppercased()] {
                let report = GatewayReport(reference: forged, fate: .delivered)
                #expect(await bank.pipeline.submit(.gatewayReport(report)) == .notFound, "\(forged)")
            }
            #expect(await bank.status() == .sent)
            for fate in [GatewayReport.Fate.delivered, .delivered, .undeliverable(reason: "UNDELIV")] {
                let report = GatewayReport(reference: reference, fate: fate)
                #expect(await bank.pipeline.submit(.gatewayReport(report)) == .done)
                #expect(await bank.status() == .delivered)
            }
        }
    }

    /// The bar: fifty PIN codes a second, and a provider that is down in whatever way.
    @Test(
        "A provider that is down holds no PIN code a second longer than the fallback",
        arguments: [
            .retry(after: nil, scope: .provider, reason: "503"), .unavailable(reason: "403"), nil,
        ] as [Outcome?]
    )
    func down(outcome: Outcome?) async throws {
        try await Self.with(after: "1s") { bank in
            bank.ends.answer(push: outcome)
            let count = 50
            for number in 0..<count { _ = await bank.register(RecipientID("user\(number)")) }
            let start = MonotonicTime.now()
            for number in 0..<count {
                // Fifty a second.
                let next = start.adding(milliseconds: 20 * Int64(number))
                try await Task.sleep(for: .nanoseconds(Int64(next.nanoseconds(since: .now()))))
                _ = await bank.send(NotificationID("n\(number)"), to: [RecipientID("user\(number)")])
            }
            await bank.ends.waitForTexts(count)
            bank.ends.answerAll(.unknown(reason: "no answer"))
            let waits = bank.ends.texts.map { $0.at.milliseconds(since: $0.delivery.notification.acceptedAt) }
            #expect((waits.min() ?? 0) >= 1_000)
            #expect((waits.max() ?? .max) <= 2_000)
            #expect(Set(bank.ends.texts.map(\.delivery.sequence)).count == count)
        }
    }
}
