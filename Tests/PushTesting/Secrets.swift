// SPDX-License-Identifier: Apache-2.0

public import Crypto
import Foundation
public import HTTP2

/// What all suites share: an authority nobody else trusts, signing keys, a place for files.
public struct Secrets: Sendable {
    public static let shared = Secrets()
    public let authority: CertificateAuthority
    public let server: HTTP2ServerTLS
    public let key: SigningKey
    public let rsa: SigningKey
    public let folder: String

    private init() {
        do {
            authority = try CertificateAuthority(name: "Test CA")
            let identity = try authority.server(["localhost"])
            server = HTTP2ServerTLS(
                certificate: Array(identity.certificate.utf8),
                key: Array(identity.privateKey.utf8)
            )
            key = try SigningKey.generate(.p256)
            rsa = try SigningKey.generate(.rsa)
            folder = NSTemporaryDirectory() + "busd-push-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try write("key.p8", key.pem())
            try write("rsa.p8", rsa.pem())
            try write("ca.pem", authority.certificate)
        } catch {
            fatalError("no secrets: \(error)")
        }
    }

    public func path(_ name: String) -> String { "\(folder)/\(name)" }

    public func write(_ name: String, _ text: String) throws {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }
}
