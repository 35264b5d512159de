// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPClient
import HTTPServer
import JSON
import Sandbox

/// The play itself.
extension Demo {
    /// What a phone was told when it registered.
    private struct Subscriber {
        let id: String
        let secret: String

        init?(_ answer: [UInt8]) {
            guard let value = try? JSONValue(parsing: answer), let id = value["subscriberId"]?.string,
                let secret = value["secret"]?.string
            else { return nil }
            self.id = id
            self.secret = secret
        }

        func opened(_ notification: NotificationID) -> String {
            #"{"notificationId": "\#(notification)", "subscriberId": "\#(id)", "event": "opened"}"#
        }
    }

    /// Registers phones, sends notifications and waits until each has come to its end.
    ///
    /// - Returns: whether everything went as it should.
    func play() async throws -> Bool {
        let script = DemoScript(run: WallTime.now().milliseconds)
        var subscribers: [String: Subscriber] = [:]
        Console.print("\nphones register")
        for phone in script.phones {
            let answer = try await post("/mobile/v1/devices", "application/json", phone.registration)
            Console.print("  \(phone.user) on \(phone.deviceID): HTTP \(answer.status)")
            guard answer.status == 201, let subscriber = Subscriber(answer.body) else { return false }
            subscribers[phone.deviceID] = subscriber
        }
        var isWell = true
        for scene in script.scenes {
            Console.print("\n\(scene.title)")
            guard try await play(scene, subscribers) else {
                Console.print("  it did not go as it should")
                isWell = false
                continue
            }
        }
        return isWell
    }

    private func play(_ scene: DemoScript.Scene, _ subscribers: [String: Subscriber]) async throws -> Bool {
        let before = arrivals
        try await setRules(scene.rules)
        timeline.expect(
            scene.notification,
            recipients: scene.recipients,
            endsWhenSent: scene.opensOn != nil
        )
        let path = "/pigeon/services/SBIInboundWebService"
        let answer = try await post(path, "text/xml; charset=utf-8", scene.request)
        Console.print("  the bank gets HTTP \(answer.status)")
        guard answer.status == 200, await timeline.isComplete(within: .seconds(20)) else { return false }
        if let phone = scene.opensOn, let subscriber = subscribers[phone.deviceID] {
            let receipt = try await post(
                "/mobile/v1/receipts",
                "application/json",
                subscriber.opened(scene.notification),
                secret: subscriber.secret
            )
            Console.print("  it is opened on \(phone.deviceID): HTTP \(receipt.status)")
        }
        if let operation = scene.callback {
            guard await isCalled(operation, scene.notification, within: .seconds(20)) else { return false }
            Console.print("  the bank is called: \(operation)")
        }
        return arrivals - before == scene.arrivals
    }

    /// What has reached phones so far.
    private var arrivals: DemoScript.Arrivals {
        DemoScript.Arrivals(
            toIPhones: sandbox.apns.records().filter { $0.status == 200 }.count,
            toAndroid: sandbox.fcm.records().filter { $0.status == 200 }.count,
            textMessages: sandbox.sms.records().filter { $0.status == 202 }.count
        )
    }

    /// Waits until the bank was called with an operation about a notification.
    private func isCalled(_ operation: String, _ id: NotificationID, within limit: Duration) async -> Bool {
        let bank = sandbox.bank
        func isThere(_ calls: [BankCall]) -> Bool {
            calls.contains { $0.operation == operation && $0["notificationId"] == "\(id)" }
        }
        await withTaskGroup { group in
            group.addTask { try? await Task.sleep(for: limit) }
            group.addTask {
                while !Task.isCancelled {
                    let calls = bank.calls
                    guard !isThere(calls) else { return }
                    await bank.called(calls.count + 1)
                }
            }
            await group.next()
            group.cancelAll()
        }
        return isThere(bank.calls)
    }

    private func post(
        _ path: String,
        _ type: String,
        _ body: String,
        secret: String? = nil
    ) async throws -> HTTPClientResponse {
        let url = "http://\(node.server.addresses[0])\(path)"
        let authorization = secret.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        return try await client.send(
            HTTPClientRequest(
                method: "POST",
                url: url,
                headers: [(name: "Content-Type", value: type)] + authorization,
                body: Array(body.utf8)
            )
        )
    }

    private func setRules(_ rules: String) async throws {
        let request = HTTPClientRequest(method: "PUT", url: "\(sandbox.control)/rules", body: Array(rules.utf8))
        _ = try await client.send(request)
    }
}
