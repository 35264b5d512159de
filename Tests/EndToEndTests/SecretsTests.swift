// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import HTTPClient
import JSON
import Sandbox
import Testing

/// Canaries go through every path of a bus that logs all it can, among far ends that repeat what they are told.
@Suite("Nothing secret is shown", .serialized, .timeLimit(.minutes(4)))
struct SecretsTests {
    @Test("no code, token, number, password or key is in a log, metric, error, timeline, or an operator's answer")
    func canaries() async throws {
        try await EchoStandIn.with { echo, url in
            try await World.with { world in
                let bank = try CanaryBank(world, echo, url)
                let bus = try await world.startBus()
                try await bank.beRefused(by: bus)
                try await bank.push(over: bus)
                try await bank.text(over: bus)
                try await bank.confirm(over: bus)
                try await bank.quarantine(over: bus)
                try await bank.operate(bus)
                #expect(bus.terminate() == 0)
                bank.shown.add("the log", bus.log)
                // Every path was taken: what was to be said was said.
                for words in Self.said { #expect(bank.shown.contains(words), "nothing says '\(words)'") }
                for leak in bank.shown.leaks(of: bank.canaries) { Issue.record("\(leak)") }
            }
        }
    }

    private static let said = [
        "APNs says 400", "APNs says 403", "FCM says 400", "FCM says 403", "the token endpoint says 422",
        "the gateway answered HTTP 400", "the gateway answered HTTP 403", "the gateway answered HTTP 500",
        "the bank answered HTTP 500 with a fault: it finds fault with the call", "the bank answered HTTP 422",
        "undeliverable", "VERIFICATION_FAILED", "the UsernameToken is missing or not valid", "UNAUTHORIZED",
        "INVALID_REQUEST", "a callback is a dead letter", "reachable",
    ]

    @Test("a code whose time has passed, and one that was read, are in no file of the store")
    func erased() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            let phone = try #require(try await world.phones(1, at: bus).first)
            for (id, timeout) in [("late", 1), ("read", 600)] {
                let text = SOAPText.notification(id, to: [phone.spelling], text: CanaryBank.pin, timeout: timeout)
                let code = text.replacing(
                    "<type>UNIVERSAL</type>",
                    with: "<type>PIN_CODE</type><target>\(CanaryBank.pin)</target>"
                )
                #expect(try await world.soap(code, at: bus).text.contains("<status>OK"))
            }
            func holdsCode() throws -> Bool {
                try ["", "-wal"].contains { suffix in
                    let file = try Data(contentsOf: world.folder.appending(path: "busd.db\(suffix)"))
                    return file.range(of: Data(CanaryBank.pin.utf8)) != nil
                }
            }
            #expect(try holdsCode())
            #expect(try await world.receipt("opened", "read", phone, at: bus) == 202)
            #expect(try await eventually { try !holdsCode() })
            #expect(bus.terminate() == 0)
            #expect(!bus.log.contains(CanaryBank.pin))
        }
    }

    @Test(
        "a crash tells where it was, and nothing of what is in memory",
        arguments: [SIGSEGV, SIGILL, SIGABRT, SIGTRAP]
    )
    func crash(_ number: Int32) async throws {
        try await World.with(node: "log: { level: debug }") { world in
            // Whoever starts it may have wished for more.
            let wishes = ["SWIFT_BACKTRACE": "registers=all,images=all"]
            let bus = try await BusProcess(["run"], in: world.folder, environment: wishes)
            try await world.register("anna", device: "d1", token: CanaryBank.iphone, at: bus)
            for number in 0..<20 {
                let text = SOAPText.notification("n\(number)", to: ["anna"], text: CanaryBank.pin)
                _ = try await world.soap(text, at: bus)
            }
            let limits = try String(contentsOfFile: "/proc/\(bus.pid)/limits", encoding: .utf8)
            let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
            #expect(core.split(separator: " ").dropFirst(4).prefix(2).allSatisfy { $0 == "0" || $0 == "1" }, "\(core)")
            kill(bus.pid, number)
            #expect(await bus.says("Backtrace took"), "\(bus.log)")
            bus.kill9()
            #expect(!bus.log.contains("rax") && !bus.log.contains("x86_64 registers"), "\(bus.log)")
            #expect(!bus.log.contains(CanaryBank.pin) && !bus.log.contains(CanaryBank.iphone))
            let files = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
            #expect(files.allSatisfy { !$0.hasPrefix("core") })
        }
    }

    @Test("a faulty configuration shows no secret, wherever it stands", arguments: faulty)
    func configuration(_ item: String) async throws {
        try await withFolder { folder in
            let pipeline = """
                pipeline: bank
                inbound:
                  - rest_bank: { path: /api, auth: { bearer: [fine] } }
                outbound:
                \(item.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
                """
            let (key, file) = item.hasPrefix("store:") ? (item, "store.yaml") : (pipeline, "bank.yaml")
            try key.write(to: folder.appending(path: file), atomically: true, encoding: .utf8)
            try CanaryBank.pem.write(to: folder.appending(path: "key.pem"), atomically: true, encoding: .utf8)
            let result = try busd(
                "check",
                file,
                in: folder,
                environment: [
                    "CANARY": "geheim", "CANARY_KEY": CanaryBank.pem, "CANARY_URL": "postgresql://u:geheim@h/d",
                ]
            )
            #expect(result.status == 1, "\(result.output)")
            #expect(result.error.contains("error: "))
            for secret in ["geheim", "TOPSECRETKEY"] {
                #expect(!(result.output + result.error).contains(secret), "\(result.output)\(result.error)")
            }
        }
    }

    private static let faulty = [
        "- sms_gateway: { url: \"http://127.0.0.1:1/\", username: a, password: [geheim] }",
        "- sms_gateway: { url: \"http://127.0.0.1:1/\", username: a, password: { geheim } }",
        "- sms_gateway: { url: \"http://127.0.0.1:1/\", username: a, password: \"geheim${UNSET_VARIABLE}\" }",
        "- sms_gateway: { url: \"http://127.0.0.1:1/\", username: a, password: \"geheim${\" }",
        "- sms_gateway: { url: \"http://127.0.0.1:1/\", username: a, password: \"${geheim-x}\" }",
        "- sms_gateway: { url: \"http://127.0.0.1:1/\", username: a, password: \"geheim\\u0001\" }",
        "- sms_gateway: { url: \"http://127.0.0.1:1/\", username: a, password: b, after: \"${CANARY}\" }",
        "- sms_gateway: { url: \"http://127.0.0.1:1/\", username: a, password: b, from: \"${CANARY} ${CANARY}\" }",
        "- sms_gateway: { url: \"http://a:geheim@127.0.0.1:1/\", username: a, password: b }",
        "- sms_gateway: { url: \"a:geheim@127.0.0.1\", username: a, password: b }",
        "- soap_bank: { url: \"https://a:geheim@bank.example/\" }",
        "- soap_bank: { url: \"https://bank.example/\", auth: { basic: geheim } }",
        "- soap_bank: { url: \"https://bank.example/\", auth: { basic: { username: a, password: { b: geheim } } } }",
        "- soap_bank: { url: \"https://bank.example/\", auth: \"${CANARY}\" }",
        "- rest_bank: { url: \"https://bank.example/a\", secret: { a: geheim } }",
        "- rest_bank: { url: \"https://bank.example/a\", ca: \"${CANARY}\" }",
        "- apns: { endpoint: \"https://a:geheim@push.example\", topic: a, auth: { key: { path: key.pem, key_id: AAAAAAAAAA, team_id: AAAAAAAAAA } } }",
        "- apns: { endpoint: \"a:geheim@push.example\", topic: a, auth: { key: { path: key.pem, key_id: AAAAAAAAAA, team_id: AAAAAAAAAA } } }",
        "- apns: { endpoint: production, topic: a, auth: { key: { path: \"${CANARY_KEY}\", key_id: AAAAAAAAAA, team_id: AAAAAAAAAA } } }",
        "- apns: { endpoint: production, topic: a, auth: { key: { path: \"${CANARY}\", key_id: AAAAAAAAAA, team_id: AAAAAAAAAA } } }",
        "- apns: { endpoint: production, topic: a, auth: { key: { path: key.pem, key_id: AAAAAAAAAA, team_id: AAAAAAAAAA } } }",
        "- apns: { endpoint: production, auth: { certificate: { path: key.pem, password: geheim } } }",
        "- apns:\n    endpoint: production\n    auth:\n      certificate:\n        path: |\n          -----BEGIN PRIVATE KEY-----\n          TOPSECRETKEY",
        "- fcm: { service_account: key.pem }",
        "- fcm: { service_account: \"${CANARY_KEY}\" }",
        "- fcm: { service_account: '{\"private_key\": \"TOPSECRETKEY\"}' }",
        "store: postgresql://user:geheim@host/",
        "store: \"${CANARY_URL}\"",
        "store: mysql://user:geheim@host/database",
    ]
}
