// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

@Suite("A bank hears what became of its notifications", .serialized, .timeLimit(.minutes(3)))
struct CallbackTests {
    @Test("Those whose time passed are told of in one call, under the bank's own spelling")
    func expired() async throws {
        try await World.with { world in
            try world.tellBank("")
            let bus = try await world.startBus()
            let phones = try await world.phones(3, at: bus)
            _ = try await world.admin("POST", bus, "/channels/bank/apns/pause", token: "operator")
            try await world.notify("late", phones.map(\.spelling), timeout: 1, at: bus)
            let call = try #require(try await world.heard("reportNotificationExpired", atLeast: 1).first)
            #expect(call["notificationId"] == "late")
            #expect(call.fields.filter { $0.name == "userId" }.map(\.value).sorted() == ["USER0", "USER1", "USER2"])
            // The phone had it after all: that wins.
            #expect(try await world.receipt("delivered", "late", phones[0], at: bus) == 202)
            let status = try await world.status(of: "late", at: bus, becomes: "<value>DELIVERED</value>")
            #expect(status.contains("<key>USER0</key><value>DELIVERED</value>"))
            #expect(status.contains("<key>USER1</key><value>EXPIRED</value>"))
            #expect(bus.terminate() == 0)
        }
    }

    @Test("A call that the bank will not take is a dead letter, which an operator shows, replays and drops")
    func deadLetters() async throws {
        try await World.with { world in
            try world.haveCallsDie()
            let bus = try await world.startBus()
            let phones = try await world.phones(2, at: bus)
            try await world.notify("n1", phones.map(\.spelling), at: bus)
            for phone in phones { #expect(try await world.receipt("opened", "n1", phone, at: bus) == 202) }
            let letters = try await world.deadLetters(at: bus, count: 2)
            #expect(Set(letters.compactMap { $0["userIds"]?.array?.first?.string }) == ["USER0", "USER1"])
            world.sandbox.bank.change { $0.failures = [] }
            let first = try #require(letters.first)
            let id = try #require(first["id"]?.integer)
            #expect(first["event"]?.string == "opened")
            #expect(first["notificationId"]?.string == "n1")
            #expect(first["link"]?.string == "soap_bank")
            let replay = try await world.admin("POST", bus, "/dead-letters/\(id)/replay", token: "operator")
            #expect(replay.status == 200)
            let call = try #require(try await world.heard("pushIsOpened", atLeast: 1).first)
            #expect(call["userId"] == first["userIds"]?.array?.first?.string)
            let rest = try await world.deadLetters(at: bus, count: 1)
            let other = try #require(rest.first?["id"]?.integer)
            #expect(try await world.admin("DELETE", bus, "/dead-letters/\(other)").status == 401)
            #expect(try await world.admin("DELETE", bus, "/dead-letters/\(other)", token: "operator").status == 200)
            #expect(try await world.admin("GET", bus, "/dead-letters/\(other)", token: "operator").status == 404)
            let metrics = String(decoding: try await world.admin("GET", bus, "/metrics").body, as: UTF8.self)
            #expect(metrics.contains("busd_callbacks_total{pipeline=\"bank\",link=\"soap_bank\",result=\"dead\"} 2\n"))
            #expect(bus.terminate() == 0)
        }
    }

    @Test("A bank that answers 200 and does not say that it has the call is told again", arguments: [nil, "Server"])
    func notTaken(fault: String?) async throws {
        try await World.with { world in
            try world.tellBank("")
            world.sandbox.bank.change { $0.failures = [.init(status: 200, fault: fault, times: 2)] }
            let bus = try await world.startBus()
            let phones = try await world.phones(1, at: bus)
            try await world.notify("n1", phones.map(\.spelling), at: bus)
            #expect(try await world.receipt("opened", "n1", phones[0], at: bus) == 202)
            _ = try await world.heard("pushIsOpened", atLeast: 1)
            let calls = world.sandbox.bank.calls.filter { $0.operation == "pushIsOpened" }
            let failed = fault.map { "Fault \($0)" } ?? "200"
            #expect(calls.map(\.answer) == [failed, failed, "done"])
            #expect(bus.terminate() == 0)
        }
    }

    @Test("A device that is silent for too long is unsubscribed")
    func silent() async throws {
        try await World.with { world in
            try world.change { $0 + "\nsubscriptions: { expire_after: 2s }\n" }
            let bus = try await world.startBus()
            _ = try await world.phones(1, at: bus)
            let question = "<checkSubscriptionExists><user>user0</user></checkSubscriptionExists>"
            #expect(try await world.soap(question, at: bus).text.contains("<exists>true</exists>"))
            let deadline = ContinuousClock.now + .seconds(30)
            var text = ""
            while !text.contains("<exists>false</exists>"), ContinuousClock.now < deadline {
                text = try await world.soap(question, at: bus).text
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(text.contains("<exists>false</exists>"))
            #expect(bus.terminate() == 0)
        }
    }
}

/// A registered iPhone.
struct Phone: Sendable {
    /// How the bank spells its user; the app does otherwise.
    let spelling: String
    let subscriber: String
    let secret: String
}

extension World {
    /// Changes the pipeline's file.
    func change(_ body: (String) -> String) throws {
        let file = folder.appending(path: "bank.yaml")
        try body(try String(contentsOf: file, encoding: .utf8)).write(to: file, atomically: true, encoding: .utf8)
    }

    /// Has the pipeline tell the sandbox's bank; `options` are more of them.
    func tellBank(_ options: String) throws {
        let more = options.isEmpty ? "" : ", \(options)"
        let link = "  - soap_bank: { url: \"\(sandbox.bank.url)\", timeout: 5s\(more) }\n"
        try change { $0.replacing("\ndelivery:", with: "\n\(link)delivery:") }
    }

    /// Has the pipeline's bank refuse to hear what is opened, and the bus give up soon.
    func haveCallsDie() throws {
        try tellBank("")
        try change { $0.replacing("max: 500ms }", with: "max: 500ms }, give_up_after: 1s") }
        sandbox.bank.change { $0.failures = [.init(operation: "pushIsOpened", fault: "Client")] }
    }

    /// Registers iPhones of users whose names the bank writes in capitals.
    func phones(_ count: Int, at bus: BusProcess) async throws -> [Phone] {
        var phones: [Phone] = []
        for number in 0..<count {
            let body = """
                {"appId": "retail", "userId": "user\(number)", "bankClientId": "7", "deviceId": "d\(number)",
                 "platform": "IOS", "token": "\(String(number + 256, radix: 16))f"}
                """
            let answer = try await send("POST", bus, "/mobile/v1/devices", "application/json", body)
            let object = try JSONValue(parsing: answer.body)
            phones.append(
                Phone(
                    spelling: "USER\(number)",
                    subscriber: try #require(object["subscriberId"]?.string),
                    secret: try #require(object["secret"]?.string)
                )
            )
        }
        return phones
    }

    /// Sends a notification.
    func notify(_ id: String, _ users: [String], timeout: Int = 3_600, at bus: BusProcess) async throws {
        let text = try await soap(SOAPText.notification(id, to: users, timeout: timeout), at: bus).text
        #expect(text.contains("<status>OK</status>"), "\(text)")
    }

    /// Has a phone tell something; returns the answer's status.
    func receipt(_ event: String, _ id: String, _ phone: Phone, at bus: BusProcess) async throws -> Int {
        let body = "{\"notificationId\": \"\(id)\", \"subscriberId\": \"\(phone.subscriber)\", \"event\": \"\(event)\"}"
        let header = (name: "Authorization", value: "Bearer \(phone.secret)")
        return try await send("POST", bus, "/mobile/v1/receipts", "application/json", body, headers: [header]).status
    }

    /// The calls of an operation that the bank took, once there are so many.
    func heard(_ operation: String, atLeast count: Int) async throws -> [BankCall] {
        try await heard(operation) { $0.count >= count }
    }

    /// The calls of an operation that the bank took, once they are all that is waited for.
    func heard(_ operation: String, until isEnough: ([BankCall]) -> Bool) async throws -> [BankCall] {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let found = sandbox.bank.calls.filter { $0.operation == operation && $0.answer == "done" }
            if isEnough(found) { return found }
            guard ContinuousClock.now < deadline else {
                Issue.record("the bank heard too little")
                return found
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The dead letters, once there are so many.
    func deadLetters(at bus: BusProcess, count: Int) async throws -> [JSONValue] {
        let deadline = ContinuousClock.now + .seconds(20)
        var found: [JSONValue] = []
        while ContinuousClock.now < deadline {
            let answer = try await admin("GET", bus, "/dead-letters", token: "operator")
            found = try JSONValue(parsing: answer.body)["deadLetters"]?.array ?? []
            if found.count == count { return found }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("there are \(found.count) dead letters, not \(count)")
        return found
    }
}

extension BankCall {
    /// The notification and the user that it speaks of.
    var pair: String { "\(self["notificationId"] ?? "") \(self["userId"] ?? "")" }
}
