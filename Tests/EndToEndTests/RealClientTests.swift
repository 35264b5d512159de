// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import JSON
import Sandbox
import Testing

/// A bank that lets zeep build its client from the bus's WSDL, as Python programs do.
@Suite("A real SOAP client", .timeLimit(.minutes(2)))
struct RealClientTests {
    private static let wsdl = "\(World.soapPath)?wsdl"
    private static let script = checkout.appending(path: "Tests/Interop/bank_with_zeep.py").path

    /// Runs the script; it never takes part in the test's own process, so a hang is the suite's time limit.
    private static func zeep(_ arguments: [String]) async throws -> (status: Int32, text: String) {
        let python = checkout.appending(path: ".venv/bin/python")
        try #require(
            FileManager.default.isExecutableFile(atPath: python.path),
            "zeep is not installed: run 'make .venv/installed'"
        )
        let process = Process()
        process.executableURL = python
        process.arguments = [script] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let data = output.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                continuation.resume(returning: (process.terminationStatus, String(decoding: data, as: UTF8.self)))
            }
        }
    }

    @Test("calls all five operations, and gets the statuses and faults of the contract")
    func operations() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await world.register("Анна", device: "d1", token: "aa", at: bus)
            let ran = try await Self.zeep(["operations", "http://127.0.0.1:\(bus.port)\(Self.wsdl)"])
            #expect(ran.status == 0, "\(ran.text)")
            let record = try #require(world.sandbox.apns.records(token: "aa").first)
            let alert = try JSONValue(parsing: record.body)["aps"]?["alert"]
            #expect(alert?["body"]?.string == "Баланс: 5 < 7 & 9 > 8, «тест» — 😀 \u{a0}é")
            #expect(alert?["title"]?.string == "Заголовок")
            #expect(world.sandbox.apns.records().count == 1)
            #expect(bus.terminate() == 0)
        }
    }

    @Test(
        "shows who it is",
        arguments: [
            ("basic", "basic", "пароль", "OK"), ("basic", "basic", "wrong", "HTTP 401|fault Client"),
            ("none", "basic", "", "HTTP 401|fault Client"),
            ("text", "ws_security", "пароль", "OK"), ("text", "ws_security", "wrong", "fault"),
            ("digest", "ws_security", "пароль", "OK"), ("digest", "ws_security", "wrong", "fault"),
            ("none", "ws_security", "", "fault"),
        ]
    )
    func access(kind: String, wanted: String, password: String, answer: String) async throws {
        let auth = "auth: { \(wanted): { username: bank, password: пароль } }"
        try await World.with(bank: auth) { world in
            let bus = try await world.startBus()
            let url = "http://127.0.0.1:\(bus.port)\(Self.wsdl)"
            let ran = try await Self.zeep(["access", url, kind] + (kind == "none" ? [] : ["bank", password]))
            #expect(ran.status == 0, "\(ran.text)")
            let matches = answer.split(separator: "|").contains { ran.text.hasPrefix($0) }
            #expect(matches, "\(ran.text)")
        }
    }

    @Test("over TLS, and with the bank's certificate alone where that is wanted", arguments: [true, false])
    func certificates(isBank: Bool) async throws {
        let tls = "tls: { certificate: cert.pem, key: key.pem, client_ca: ca.pem }"
        try await World.with(node: tls, bank: "auth: { client_certificate: true }") { world in
            let authority = try CertificateAuthority(name: "busd test")
            let server = try authority.server(["127.0.0.1"])
            try world.write("cert.pem", server.certificate)
            try world.write("key.pem", server.privateKey)
            try world.write("ca.pem", authority.certificate)
            let issuer = isBank ? authority : try CertificateAuthority(name: "busd test")
            let own = try issuer.client(name: "bank")
            try world.write("bank.pem", own.certificate + own.privateKey)
            let bus = try await world.startBus()
            let ran = try await Self.zeep([
                "access", "https://127.0.0.1:\(bus.port)\(Self.wsdl)", "certificate",
                world.folder.appending(path: "bank.pem").path, world.folder.appending(path: "ca.pem").path,
            ])
            #expect(ran.status == 0, "\(ran.text)")
            #expect(ran.text == (isBank ? "OK\n" : "fault Client\n"), "\(ran.text)")
            #expect(bus.terminate() == 0)
        }
    }
}
