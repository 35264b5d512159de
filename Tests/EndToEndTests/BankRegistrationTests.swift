// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

/// The first diagram of the original documentation: app, bus and bank, in all its branches.
@Suite("A device registers, and the bank has its say", .timeLimit(.minutes(2)))
struct BankRegistrationTests {
    private static let token = String(repeating: "ab", count: 32)

    private struct Answer {
        let status: Int
        let json: JSONValue?
        var code: String? { json?["code"]?.string }
        var state: String? { json?["state"]?.string }
        var secret: String? { json?["secret"]?.string }

        init(_ response: HTTPClientResponse) {
            status = response.status
            json = try? JSONValue(parsing: response.body)
        }
    }

    private func register(
        _ user: String,
        _ world: World,
        at bus: BusProcess,
        device: String = "VENDOR-1",
        token: String = token,
        secret: String? = nil
    ) async throws -> Answer {
        let body = """
            {"appId": "retail", "userId": "\(user)", "bankClientId": "client of \(user)", "deviceId": "\(device)",
             "platform": "IOS", "token": "\(token)"}
            """
        let headers = secret.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        return Answer(
            try await world.send("POST", bus, "/mobile/v1/devices", "application/json", body, headers: headers)
        )
    }

    private func verify(
        _ user: String,
        _ code: String,
        _ world: World,
        at bus: BusProcess,
        device: String = "VENDOR-1"
    ) async throws -> Answer {
        let body = #"{"appId": "retail", "userId": "\#(user)", "code": "\#(code)"}"#
        return Answer(
            try await world.send("POST", bus, "/mobile/v1/devices/\(device)/verification", "application/json", body)
        )
    }

    private func fields(_ user: String, _ last: BankCall.Field) -> [BankCall.Field] {
        [
            .init("bankClientId", "client of \(user)"), .init("userId", user), .init("deviceId", "VENDOR-1"), last,
        ]
    }

    private func push(_ id: String, to user: String, _ world: World, at bus: BusProcess) async throws -> String {
        try await world.soap(SOAPText.notification(id, to: [user]), at: bus).text
    }

    @Test("a device the bus knows gets its token updated, and the bank is not asked")
    func exists() async throws {
        try await World.with(asksBank: true) { world in
            world.sandbox.bank.change { $0.authorized = ["Анна"] }
            let bus = try await world.startBus()
            let first = try await register("Анна", world, at: bus)
            #expect(first.status == 201)
            world.sandbox.bank.removeCalls()
            let secret = try #require(first.secret)
            let again = try await register("Анна", world, at: bus, token: "cc", secret: secret)
            #expect(again.status == 200)
            #expect(again.state == "SUBSCRIBED")
            #expect(world.sandbox.bank.calls.isEmpty)
            #expect(try await push("n1", to: "АННА", world, at: bus).contains("<value>QUEUED</value>"))
            await world.sandbox.apns.arrived(1)
            #expect(world.sandbox.apns.records().map(\.token) == ["cc"])
        }
    }

    @Test("a customer the bank knows of is subscribed at once")
    func authorized() async throws {
        try await World.with(asksBank: true) { world in
            world.sandbox.bank.change { $0.authorized = ["Анна"] }
            let bus = try await world.startBus()
            #expect(try await register("Анна", world, at: bus).state == "SUBSCRIBED")
            let calls = world.sandbox.bank.calls
            #expect(calls.map(\.operation) == ["checkSubscriptionAuthorized"])
            #expect(calls.map(\.namespace) == ["http://outbound.sbi.pigeon.idamobile.com/"])
            #expect(calls.first?.fields == fields("Анна", .init("platform", "IOS")))
        }
    }

    @Test("any other customer gets a code from the bank, and is subscribed when he gives it")
    func verified() async throws {
        try await World.with(asksBank: true) { world in
            let bus = try await world.startBus()
            let first = try await register("Анна", world, at: bus)
            #expect(first.status == 202)
            #expect(first.state == "VERIFICATION_REQUIRED")
            #expect(try await push("n1", to: "Анна", world, at: bus).contains("INVALID_SUBSCRIPTION"))
            let wrong = try await verify("Анна", "000000", world, at: bus)
            #expect(wrong.status == 403)
            #expect(wrong.code == "VERIFICATION_FAILED")
            let right = try await verify("Анна", "123456", world, at: bus)
            #expect(right.status == 201)
            #expect(right.state == "SUBSCRIBED")
            #expect(right.secret != nil)
            let calls = world.sandbox.bank.calls
            #expect(
                calls.map(\.operation) == [
                    "checkSubscriptionAuthorized", "authorizeSubscription", "verifySubscriptionAuthorization",
                    "verifySubscriptionAuthorization",
                ]
            )
            #expect(calls[1].fields == fields("Анна", .init("platform", "IOS")))
            #expect(calls[3].fields == fields("Анна", .init("verificationCode", "123456")))
            #expect(try await push("n2", to: "Анна", world, at: bus).contains("<value>QUEUED</value>"))
            await world.sandbox.apns.arrived(1)
            #expect(try await verify("Анна", "123456", world, at: bus).status == 404)
            #expect(!bus.log.contains("123456"))
        }
    }

    @Test("the bank's refusals become answers to the app, and nothing is registered")
    func refusals() async throws {
        try await World.with(asksBank: true) { world in
            world.sandbox.bank.change {
                $0.unknownClients = ["client of nobody"]
                $0.refused = ["anna"]
            }
            let bus = try await world.startBus()
            let unknown = try await register("nobody", world, at: bus)
            #expect(unknown.status == 404)
            #expect(unknown.code == "BankClientNotExistsException")
            let refused = try await register("anna", world, at: bus)
            #expect(refused.status == 502)
            #expect(refused.code == "AUTHORIZATION_FAILED")
            world.sandbox.bank.change { $0.isDown = true }
            let down = try await register("boris", world, at: bus)
            #expect(down.status == 502)
            #expect(down.code == "BANK_UNREACHABLE")
            #expect(try await verify("anna", "123456", world, at: bus).status == 404)
            for user in ["nobody", "anna", "boris"] {
                #expect(try await push(user, to: user, world, at: bus).contains("INVALID_SUBSCRIPTION"))
            }
        }
    }

    @Test("a phone that changes hands never shows the first user's messages")
    func otherHands() async throws {
        try await World.with(asksBank: true) { world in
            world.sandbox.bank.change { $0.authorized = ["anna"] }
            let bus = try await world.startBus()
            #expect(try await register("anna", world, at: bus).status == 201)
            #expect(try await register("boris", world, at: bus).status == 202)
            #expect(try await push("n1", to: "anna", world, at: bus).contains("<value>QUEUED</value>"))
            await world.sandbox.apns.arrived(1)
            #expect(try await verify("boris", "123456", world, at: bus).status == 201)
            #expect(try await push("n2", to: "anna", world, at: bus).contains("INVALID_SUBSCRIPTION"))
            #expect(try await push("n3", to: "boris", world, at: bus).contains("<value>QUEUED</value>"))
            await world.sandbox.apns.arrived(2)
            let shown = world.sandbox.apns.records(token: Self.token).compactMap { $0.header("apns-collapse-id") }
            #expect(shown == ["n1", "n3"])
        }
    }

    @Test("a login and a device id without the secret move nothing")
    func stranger() async throws {
        try await World.with(asksBank: true) { world in
            world.sandbox.bank.change { $0.authorized = ["anna"] }
            let bus = try await world.startBus()
            #expect(try await register("anna", world, at: bus).status == 201)
            world.sandbox.bank.change { $0.authorized = [] }
            #expect(try await register("anna", world, at: bus, token: "cc").status == 202)
            #expect(try await register("anna", world, at: bus, token: "cc", secret: "guess").status == 202)
            for _ in 0..<5 { #expect(try await verify("anna", "000000", world, at: bus).status == 403) }
            let spent = try await verify("anna", "123456", world, at: bus)
            #expect(spent.status == 429)
            _ = try await push("n1", to: "anna", world, at: bus)
            await world.sandbox.apns.arrived(1)
            #expect(world.sandbox.apns.records().map(\.token) == [Self.token])
        }
    }

    @Test("a registration that waits for its code survives the bus being killed")
    func restart() async throws {
        try await World.with(asksBank: true) { world in
            var bus = try await world.startBus()
            #expect(try await register("anna", world, at: bus).status == 202)
            bus.kill9()
            bus = try await world.startBus()
            #expect(try await verify("anna", "123456", world, at: bus).status == 201)
            _ = try await push("n1", to: "anna", world, at: bus)
            await world.sandbox.apns.arrived(1)
        }
    }
}
