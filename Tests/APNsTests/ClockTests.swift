// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import PushService
import PushTesting
import Synchronization
import Testing

@testable import APNs
@testable import Sandbox

/// The token against Apple's checks, minute by minute, while our wall clock is turned and Apple's is not.
struct ClockTests {
    /// Apple's time, and how far ours is from it.
    private final class Clocks: Sendable {
        private let state: Mutex<(true: Int64, error: Int64)>

        init(at seconds: Int64, error: Int64) { state = Mutex((seconds, error)) }

        var apple: Int64 { state.withLock { $0.true } }
        var reading: ProvenClock.Reading {
            state.withLock { state in
                ProvenClock.Reading(
                    wall: WallTime(seconds: state.true + state.error),
                    monotonic: MonotonicTime(nanoseconds: UInt64(state.true) * 1_000_000_000)
                )
            }
        }

        func pass(_ seconds: Int64) { state.withLock { $0.true += seconds } }
        func set(error: Int64) { state.withLock { $0.error = error } }
    }

    /// A token, and the stand-in that judges it.
    private struct Sender {
        let clocks: Clocks
        let token: ProviderToken
        var desk: APNsDesk
        var connection: UInt64 = 1

        init(error: Int64, start: Int64) {
            let clocks = Clocks(at: start, error: error)
            self.clocks = clocks
            let key = Secrets.shared.key
            token = ProviderToken(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", key: key) { clocks.reading }
            desk = APNsDesk(
                keys: ProviderKeys(team: "DEF123GHIJ", keys: ["ABC123DEFG": key.verifyingKey]),
                checks: APNsChecks(topics: nil),
                trustedLimit: nil,
                capacity: 4
            )
        }

        /// Does what the channel does about a push; returns the last word on it.
        mutating func push() throws -> String {
            var said = try show()
            if said == "403 ExpiredProviderToken" { said = try show() }
            return said
        }

        private mutating func show() throws -> String {
            let shown = try token.current()
            let request = PushRequest(
                method: "POST",
                path: "/3/device/00ff",
                headers: [
                    ("authorization", shown.header), ("apns-topic", "com.example.bank"), ("apns-push-type", "alert"),
                ],
                body: Array(#"{"aps":{}}"#.utf8)
            )
            _ = desk.react(to: request, on: connection, at: clocks.apple * 1_000)
            let record = try #require(desk.records.all.last)
            switch record.reason {
            case "": token.confirm(shown.version)
            case "ExpiredProviderToken":
                token.renew(after: shown.version)
                connection += 1
            case "TooManyProviderTokenUpdates": token.hold()
            default: break
            }
            return record.reason.isEmpty ? "\(record.status)" : "\(record.status) \(record.reason)"
        }

        /// Pushes once a minute for six hours, which is long enough for tokens to change seven times and more.
        mutating func pushOn() throws -> Set<String> {
            var words: Set<String> = []
            for _ in 0..<360 {
                words.insert(try push())
                clocks.pass(60)
            }
            return words
        }
    }

    private static let turns: [Int64] = [4_200, -4_200]

    @Test("Turned while all is well, at any minute of a token's life, it stops no push", arguments: turns)
    func turned(error: Int64) throws {
        for minute in stride(from: 0, to: 60, by: 7) as StrideTo<Int64> {
            var sender = Sender(error: 0, start: 1_700_000_000 + minute * 60)
            #expect(try sender.pushOn() == ["200"])
            sender.clocks.set(error: error)
            #expect(try sender.pushOn() == ["200"])
            sender.clocks.set(error: 0)
            #expect(try sender.pushOn() == ["200"])
        }
    }

    @Test("Wrong from the start and then set right, the next push goes out", arguments: turns)
    func setRight(error: Int64) throws {
        for minute in stride(from: 0, to: 60, by: 7) as StrideTo<Int64> {
            var sender = Sender(error: error, start: 1_700_000_000 + minute * 60)
            _ = try sender.push()
            sender.clocks.pass(60)
            _ = try sender.push()
            sender.clocks.set(error: 0)
            #expect(try sender.push() == "200", "minute \(minute)")
            #expect(try sender.pushOn() == ["200"])
        }
    }
}
