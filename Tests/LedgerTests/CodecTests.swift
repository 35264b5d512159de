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
                #expect(outgoing.expiresAt >= .noon)
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
