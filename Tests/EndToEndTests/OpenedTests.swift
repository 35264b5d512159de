// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import JSON
import Sandbox
import Testing

/// The second diagram of the original documentation: what the phone does with a notification.
@Suite("A user opens a notification", .timeLimit(.minutes(2)))
struct OpenedTests {
    @Test("the bank hears of it in its own spelling, once, and the app gets the details")
    func opened() async throws {
        try await World.with(asksBank: true) { world in
            world.sandbox.bank.change { $0.authorized = ["anna"] }
            let bus = try await world.startBus()
            let body = """
                {"appId": "retail", "userId": "anna", "bankClientId": "42", "deviceId": "d1", "platform": "IOS",
                 "token": "aa"}
                """
            let registered = try await world.send("POST", bus, "/mobile/v1/devices", "application/json", body)
            let object = try JSONValue(parsing: registered.body)
            let subscriber = try #require(object["subscriberId"]?.string)
            let secret = try #require(object["secret"]?.string)
            let bearer = [(name: "Authorization", value: "Bearer \(secret)")]
            world.sandbox.bank.removeCalls()
            let details = "<details><entry><key>name</key><value>Заголовок</value></entry></details>"
            let request = SOAPText.notification("n1", to: ["ANNA"], more: details)
            #expect(try await world.soap(request, at: bus).text.contains("<key>ANNA</key><value>QUEUED</value>"))
            _ = try await world.status(of: "n1", at: bus, becomes: "<value>SENT</value>")
            for event in ["opened", "delivered", "opened"] {
                let receipt = #"{"notificationId":"n1","subscriberId":"\#(subscriber)","event":"\#(event)"}"#
                let answer = try await world.send(
                    "POST",
                    bus,
                    "/mobile/v1/receipts",
                    "application/json",
                    receipt,
                    headers: bearer
                )
                #expect(answer.status == 202)
            }
            await world.sandbox.bank.called(1)
            let read = "<key>ANNA</key><value>READ</value>"
            #expect(try await world.status(of: "n1", at: bus, becomes: read).contains(read))
            let path = "/mobile/v1/notifications/n1/details?subscriberId=\(subscriber)"
            let shown = try await world.send("GET", bus, path, headers: bearer)
            #expect(shown.status == 200)
            #expect(try JSONValue(parsing: shown.body)["name"]?.string == "Заголовок")
            #expect(try await world.send("GET", bus, path).status == 401)
            #expect(bus.terminate() == 0)
            let calls = world.sandbox.bank.calls
            #expect(calls.map(\.operation) == ["pushIsOpened"])
            #expect(calls.first?.fields == [.init("userId", "ANNA"), .init("notificationId", "n1")])
        }
    }
}
