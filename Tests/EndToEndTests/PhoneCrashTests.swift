// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import Synchronization
import Testing

@Suite("Killed at a random moment among phones", .timeLimit(.minutes(5)))
struct PhoneCrashTests {
    /// What phones and the bank were told, by which the bus must stand.
    private struct Promised {
        /// Answered SUBSCRIBED.
        var phones: [Phone] = []
        /// Answered VERIFICATION_REQUIRED, and no code given yet.
        var waiting: [String] = []
        /// Receipts that were taken, as notification and user.
        var opened: [String] = []
    }

    private final class Promises: Sendable {
        private let promised = Mutex(Promised())
        var all: Promised { promised.withLock { $0 } }
        func add(_ body: (inout Promised) -> Void) { promised.withLock { body(&$0) } }
    }

    private static let kills = 5
    private static let callers = 16
    private static let callsUnderWay = 32

    @Test("who was subscribed is, who waits for a code can give it, and the bank hears of all that was opened")
    func killed() async throws {
        var options = SandboxOptions()
        options.recordLimit = 100_000
        try await World.with(sandbox: options, asksBank: true) { world in
            let promises = Promises()
            var bus = try await world.startBus()
            for round in 0..<Self.kills {
                let victim = bus
                async let killer: Void = {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 100...700)))
                    victim.kill9()
                }()
                await withTaskGroup(of: Void.self) { group in
                    for caller in 0..<Self.callers {
                        group.addTask { await Self.register("u\(round)-\(caller)", world, victim, promises) }
                    }
                }
                try await killer
                bus = try await world.startBus()
            }
            let kept = promises.all
            let counts = "\(kept.phones.count) phones, \(kept.waiting.count) waiting, \(kept.opened.count) opened"
            #expect(kept.phones.count > 20 && kept.waiting.count > 5 && kept.opened.count > 10, "\(counts)")
            for phone in kept.phones { try await Self.isThere(phone, world, bus) }
            for user in kept.waiting { #expect(try await Self.verify(user, world, bus).status == 201, "\(user)") }
            let told = Set(kept.opened)
            let pairs = try await world.heard("pushIsOpened") { told.isSubset(of: $0.map(\.pair)) }.map(\.pair)
            #expect(pairs.count - Set(pairs).count <= Self.kills * Self.callsUnderWay)
            #expect(bus.terminate() == 0)
        }
    }

    /// Registers one phone after the other, and has each open a notification, until the bus is dead.
    private static func register(
        _ caller: String,
        _ world: World,
        _ bus: BusProcess,
        _ promises: Promises
    ) async {
        for number in 0..<1_000 {
            let user = "\(caller)-\(number)"
            guard let phone = try? await subscribe(user, isKnown: number % 2 == 0, world, bus, promises) else {
                if bus.isRunning { continue }
                return
            }
            promises.add { $0.phones.append(phone) }
            let request = SOAPText.notification("n-\(user)", to: [user])
            guard let answer = try? await world.soap(request, at: bus), answer.text.contains("<status>OK</status>"),
                let status = try? await world.receipt("opened", "n-\(user)", phone, at: bus)
            else { return }
            if status == 202 { promises.add { $0.opened.append("n-\(user) \(user)") } }
        }
    }

    /// A known customer is subscribed at once; of the others every second gives his code, the rest wait.
    private static func subscribe(
        _ user: String,
        isKnown: Bool,
        _ world: World,
        _ bus: BusProcess,
        _ promises: Promises
    ) async throws -> Phone? {
        if isKnown { world.sandbox.bank.change { $0.authorized.insert(user) } }
        let body = """
            {"appId": "retail", "userId": "\(user)", "bankClientId": "7", "deviceId": "of-\(user)", "platform": "IOS",
             "token": "\(user.utf8.map { String($0, radix: 16) }.joined())"}
            """
        let answer = try await world.send("POST", bus, "/mobile/v1/devices", "application/json", body)
        if answer.status == 201 { return try phone(user, answer) }
        guard answer.status == 202 else { return nil }
        // Once the code is on its way it may be spent, whether or not the answer comes.
        if user.utf8.last.map({ $0 % 4 == 1 }) == true { return try phone(user, try await verify(user, world, bus)) }
        promises.add { $0.waiting.append(user) }
        return nil
    }

    private static func phone(_ user: String, _ answer: HTTPClientResponse) throws -> Phone? {
        guard answer.status == 201 else { return nil }
        let object = try JSONValue(parsing: answer.body)
        guard let subscriber = object["subscriberId"]?.string, let secret = object["secret"]?.string else { return nil }
        return Phone(spelling: user, subscriber: subscriber, secret: secret)
    }

    private static func verify(_ user: String, _ world: World, _ bus: BusProcess) async throws -> HTTPClientResponse {
        let body = #"{"appId": "retail", "userId": "\#(user)", "code": "123456"}"#
        return try await world.send("POST", bus, "/mobile/v1/devices/of-\(user)/verification", "application/json", body)
    }

    /// The subscription is there, and its secret is the one that was given.
    private static func isThere(_ phone: Phone, _ world: World, _ bus: BusProcess) async throws {
        let header = (name: "Authorization", value: "Bearer \(phone.secret)")
        let path = "/mobile/v1/devices/of-\(phone.spelling)/token"
        let token = #"{"token": "\#(phone.spelling.utf8.map { String($0, radix: 16) }.joined())"}"#
        let answer = try await world.send("PUT", bus, path, "application/json", token, headers: [header])
        #expect(answer.status == 204, "\(phone.spelling)")
    }
}
