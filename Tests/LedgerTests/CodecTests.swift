// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine
import Testing

struct CodecTests {
    private static let samples: [Notification] = {
        var full = Acceptance.sample("id", in: PipelineNumber(rawValue: 1)).notification
        full.recipients = []
        full.collapseID = ""
        full.isPerishable = true
        full.requiresKnownRecipients = true
        full.timeout = Int(Int32.max)
        full.content.badge = .max
        full.details = PushDetails(
            name: "n",
            logoURL: "http://x",
            description: "a\nb",
            tags: [.init(key: "", value: nil), .init(key: "k", value: "")],
            amount: .init(currency: "BYN", fxAmount: .min)
        )
        var bare = full
        bare.collapseID = nil
        bare.details = nil
        bare.content.target = nil
        bare.content.hasNilTarget = true
        bare.timeout = 0
        var nameless = full
        nameless.details = PushDetails()
        return [full, bare, nameless]
    }()

    @Test("A notification comes back as it was", arguments: samples)
    func roundTrip(notification: Notification) throws {
        let bytes = NotificationCodec.encode(notification)
        #expect(try NotificationCodec.decode(bytes, id: "id", recipients: []) == notification)
    }

    @Test("What is encoded is decoded, whatever the numbers and texts are")
    func extremes() throws {
        let numbers = [Int.min, -1, 0, 1, 255, 256, 2_147_483_647, 2_147_483_648, .max]
        let texts = ["", "\0", "e\u{301}", "\u{10ffff}", String(repeating: "я", count: 5_000)]
        var random = SystemRandomNumberGenerator()
        func number() -> Int { numbers.randomElement(using: &random) ?? 0 }
        func text() -> String { texts.randomElement(using: &random) ?? "" }
        func perhaps() -> String? { Bool.random(using: &random) ? text() : nil }
        for _ in 0..<2_000 {
            let type = NotificationType.allCases.randomElement(using: &random) ?? .url
            var sample = Notification(
                id: "id",
                recipients: [],
                timeout: number(),
                content: PushContent(badge: number(), sound: text(), text: text(), type: type, target: perhaps()),
                details: PushDetails(
                    name: perhaps(),
                    logoURL: perhaps(),
                    description: perhaps(),
                    tags: (0..<Int.random(in: 0...3, using: &random)).map { _ in .init(key: text(), value: perhaps()) },
                    amount: Bool.random(using: &random) ? .init(currency: text(), fxAmount: Int64(number())) : nil
                ),
                isPerishable: Bool.random(using: &random),
                priority: number(),
                collapseID: perhaps()
            )
            sample.requiresKnownRecipients = Bool.random(using: &random)
            #expect(try NotificationCodec.decode(NotificationCodec.encode(sample), id: "id", recipients: []) == sample)
            for moment in [WallTime.distantPast, .epoch, .noon, .distantFuture] {
                _ = OutgoingNotification(notification: sample, sequence: 1, acceptedAt: moment).expiresAt
            }
        }
    }

    @Test("Every type has a number of its own", arguments: NotificationType.allCases)
    func types(type: NotificationType) throws {
        var notification = Self.samples[1]
        notification.content.type = type
        let bytes = NotificationCodec.encode(notification)
        #expect(try NotificationCodec.decode(bytes, id: "id", recipients: []).content.type == type)
    }

    @Test("Bytes cut short, or with something behind them, are damage", arguments: samples)
    func cut(notification: Notification) {
        let bytes = NotificationCodec.encode(notification)
        for count in 0..<bytes.count {
            #expect(throws: DamagedBytes.self) {
                try NotificationCodec.decode(Array(bytes[..<count]), id: "id", recipients: [])
            }
        }
        #expect(throws: DamagedBytes.self) { try NotificationCodec.decode(bytes + [0], id: "id", recipients: []) }
    }

    @Test("No bytes make it crash")
    func hostile() {
        var random = SystemRandomNumberGenerator()
        let good = NotificationCodec.encode(Self.samples[0])
        for _ in 0..<20_000 {
            var bytes = good
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if let notification = try? NotificationCodec.decode(bytes, id: "id", recipients: []) {
                let outgoing = OutgoingNotification(notification: notification, sequence: 1, acceptedAt: .noon)
                #expect((outgoing.expiresAt >= .noon) == (notification.timeout >= 0))
            }
            _ = try? RecipientListCodec.decode(bytes)
        }
        let huge: [UInt8] = [1, 0, 0, 0, 0, 0] + [UInt8](repeating: 0xff, count: 9) + [1]
        #expect(throws: DamagedBytes.self) { try NotificationCodec.decode(huge, id: "id", recipients: []) }
    }

    @Test("Names come back as they were", arguments: [[], [""], ["a", "é", "e\u{301}", "\0"]] as [[RecipientID]])
    func names(names: [RecipientID]) throws {
        #expect(try RecipientListCodec.decode(RecipientListCodec.encode(names)) == names)
    }
}
