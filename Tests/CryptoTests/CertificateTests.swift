// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Testing

/// Certificates are judged by a stranger: the `openssl` program.
struct CertificateTests {
    private let directory: URL
    private let authority: CertificateAuthority

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "busd-\(UUIDText.random())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        authority = try CertificateAuthority(name: "busd test")
        try write(authority.certificate, "ca.pem")
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: directory.appending(path: name))
    }

    private func openssl(_ arguments: String...) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test("A server's certificate holds for its names and addresses and no other", .timeLimit(.minutes(1)))
    func server() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let identity = try authority.server(["localhost", "127.0.0.1", "::1"])
        try write(identity.certificate, "server.pem")
        let verify = ["verify", "-x509_strict", "-CAfile", "ca.pem", "-purpose", "sslserver"]
        for (option, name, passes) in [
            ("-verify_hostname", "localhost", true), ("-verify_ip", "127.0.0.1", true), ("-verify_ip", "::1", true),
            ("-verify_hostname", "other", false), ("-verify_ip", "127.0.0.2", false),
        ] {
            let result = try openssl(
                verify[0],
                "-CAfile",
                "ca.pem",
                "-purpose",
                "sslserver",
                option,
                name,
                "server.pem"
            )
            #expect((result.status == 0) == passes, "\(name): \(result.output)")
        }
        #expect(try SigningKey(pem: Array(identity.privateKey.utf8), kind: .p256).kind == .p256)
    }

    @Test("A client's certificate is one, an expired one is expired", .timeLimit(.minutes(1)))
    func client() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        try write(authority.client(name: "bank").certificate, "client.pem")
        try write(authority.client(name: "bank", days: -1).certificate, "old.pem")
        #expect(try openssl("verify", "-CAfile", "ca.pem", "-purpose", "sslclient", "client.pem").status == 0)
        #expect(try openssl("verify", "-CAfile", "ca.pem", "-purpose", "sslserver", "client.pem").status != 0)
        #expect(try openssl("verify", "-CAfile", "ca.pem", "old.pem").output.contains("certificate has expired"))
    }

    @Test("A name cannot smuggle another in", arguments: ["", "a,DNS:b", "a b", "bank.ru\n"])
    func names(name: String) {
        #expect(throws: CryptoError.self) { try authority.server([name]) }
    }
}
