// SPDX-License-Identifier: Apache-2.0

import Foundation
import PushTesting
import Testing

/// A push certificate like Apple's, in all the files people keep it in; made once a run by the openssl command.
struct PushCertificate: Sendable {
    static let shared = PushCertificate()
    static let password = "täst"

    /// PEM of the certificate, which signs itself.
    let certificate: String

    private init() {
        do {
            let topics = Self.sequence(
                Self.text("com.megabank.retail") + Self.sequence(Self.text("app"))
                    + Self.text("com.megabank.retail.voip") + Self.sequence(Self.text("voip"))
            )
            let hex = topics.map { String(format: "%02x", $0) }.joined(separator: ":")
            try Self.make(
                "push",
                "/UID=com.megabank.retail/CN=Apple Push Services",
                ["-addext", "\(Self.topics)=DER:\(hex)"]
            )
            try Self.make("plain", "/CN=nobody", [])
            let from = ["pkcs12", "-export", "-inkey", "push.key", "-in", "push.crt"]
            let secret = ["-passout", "pass:\(Self.password)"]
            try Self.openssl(from + ["-out", "modern.p12"] + secret)
            let retired = ["-certpbe", "PBE-SHA1-RC2-40", "-keypbe", "PBE-SHA1-3DES", "-macalg", "sha1"]
            try Self.openssl(from + ["-out", "legacy.p12", "-legacy"] + retired + secret)
            try Self.openssl(from + ["-out", "open.p12", "-passout", "pass:"])
            try Self.openssl(from + ["-out", "unchecked.p12", "-nomac"] + secret)
            try Self.openssl(["pkcs12", "-export", "-nokeys", "-in", "push.crt", "-out", "keyless.p12"] + secret)
            try Self.openssl(["pkcs8", "-topk8", "-in", "push.key", "-out", "locked.key"] + secret)
            certificate = try Self.read("push.crt")
            try Secrets.shared.write("push.pem", Self.read("push.key") + certificate)
            try Secrets.shared.write("locked.pem", certificate + Self.read("locked.key"))
            try Secrets.shared.write("mixed.pem", certificate + Self.read("plain.key"))
            try Secrets.shared.write("plain.pem", Self.read("plain.crt") + Self.read("plain.key"))
        } catch {
            fatalError("no push certificate: \(error)")
        }
    }

    private static let topics = "1.2.840.113635.100.6.3.6"

    private static func make(_ name: String, _ subject: String, _ more: [String]) throws {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "\(name).key"]
        try openssl(["req", "-x509", "-out", "\(name).crt", "-days", "365", "-subj", subject] + key + more)
    }

    private static func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: Secrets.shared.folder)
        process.standardError = Pipe()
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments.joined(separator: " "))")
    }

    private static func read(_ name: String) throws -> String {
        try String(contentsOfFile: Secrets.shared.path(name), encoding: .utf8)
    }

    private static func text(_ text: String) -> [UInt8] { [0x0c, UInt8(text.utf8.count)] + Array(text.utf8) }
    private static func sequence(_ content: [UInt8]) -> [UInt8] { [0x30, UInt8(content.count)] + content }
}
