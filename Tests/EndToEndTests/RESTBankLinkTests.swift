// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import JSON
import Sandbox
import Testing

@Suite("A bank is told and asked over REST", .serialized, .timeLimit(.minutes(2)))
struct RESTBankLinkTests {
    private static func with(
        authorization: String = "none",
        _ body: (World, RESTBankStandIn) async throws -> Void
    ) async throws {
        try await RESTBankStandIn.with { bank, url in
            let link = "  - rest_bank: { url: \"\(url)\", secret: \"\(RESTBankStandIn.secret)\", timeout: 5s }"
            try await World.with(outbound: link) { world in
                try world.change {
                    $0.replacing("authorization: none", with: "authorization: \(authorization)")
                }
                try await body(world, bank)
            }
        }
    }

    @Test("every receipt's callback arrives, signed and once, though the bank was down and the bus was killed")
    func callbacks() async throws {
        try await Self.with { world, bank in
            var bus = try await world.startBus()
            let phones = try await world.phones(10, at: bus)
            let ids = (0..<10).map { "n\($0)" }
            for id in ids { try await world.notify(id, phones.map(\.spelling), at: bus) }
            bank.change { $0.isDown = true }
            for (index, id) in ids.enumerated() {
                if index == 5 {
                    bus.kill9()
                    bus = try await world.startBus()
                }
                for phone in phones { #expect(try await world.receipt("opened", id, phone, at: bus) == 202) }
            }
            bank.change { $0.isDown = false }
            let wanted = Set(ids.flatMap { id in phones.map { "\(id) \($0.spelling)" } })
            let isTold = try await eventually { wanted.isSubset(of: bank.heard("opened")) }
            #expect(isTold)
            #expect(bank.heard("opened").count == wanted.count)
            #expect(bank.calls.allSatisfy { $0.isSigned })
            #expect(bus.terminate() == 0)
        }
    }

    @Test("the bank agrees to registrations, or has the customer prove himself, or does not know him, or is down")
    func registrations() async throws {
        try await Self.with(authorization: "bank") { world, bank in
            bank.change {
                $0.authorized = ["anna"]
                $0.unknownClients = ["client of nobody"]
            }
            let bus = try await world.startBus()
            #expect(try await register("anna", world, bus).status == 201)
            #expect(bank.calls.map(\.path) == ["/bank/subscriptions/check"])
            #expect(
                bank.calls.first?.body
                    == ["bankClientId": "client of anna", "userId": "anna", "deviceId": "of anna", "platform": "IOS"]
            )
            let boris = try await register("boris", world, bus)
            #expect(boris.status == 202)
            #expect(boris.json?["state"] == "VERIFICATION_REQUIRED")
            let wrong = try await verify("boris", "000000", world, bus)
            #expect(wrong.status == 403)
            #expect(wrong.json?["code"] == "VERIFICATION_FAILED")
            #expect(try await verify("boris", "123456", world, bus).status == 201)
            #expect(bank.calls.last?.body["verificationCode"] == "123456")
            let nobody = try await register("nobody", world, bus)
            #expect(nobody.status == 404)
            #expect(nobody.json?["code"] == "BankClientNotExistsException")
            bank.change { $0.isDown = true }
            #expect(try await register("clara", world, bus).status == 502)
            #expect(bank.calls.allSatisfy { $0.isSigned })
            for (user, exists) in [("anna", true), ("boris", true), ("nobody", false), ("clara", false)] {
                let question = "<checkSubscriptionExists><user>\(user)</user></checkSubscriptionExists>"
                let text = try await world.soap(question, at: bus).text
                #expect(text.contains("<exists>\(exists)</exists>"), "\(user)")
            }
            #expect(bus.terminate() == 0)
        }
    }

    private typealias Answer = (status: Int, json: JSONValue?)

    private func register(_ user: String, _ world: World, _ bus: BusProcess) async throws -> Answer {
        let token = user.utf8.map { String($0, radix: 16) }.joined()
        let body = """
            {"appId": "retail", "userId": "\(user)", "bankClientId": "client of \(user)", "deviceId": "of \(user)",
             "platform": "IOS", "token": "\(token)"}
            """
        return Self.answer(try await world.send("POST", bus, "/mobile/v1/devices", "application/json", body))
    }

    private func verify(_ user: String, _ code: String, _ world: World, _ bus: BusProcess) async throws -> Answer {
        let body = #"{"appId": "retail", "userId": "\#(user)", "code": "\#(code)"}"#
        let path = "/mobile/v1/devices/of%20\(user)/verification"
        return Self.answer(try await world.send("POST", bus, path, "application/json", body))
    }

    private static func answer(_ response: HTTPClientResponse) -> Answer {
        (response.status, try? JSONValue(parsing: response.body))
    }
}
