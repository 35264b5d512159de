// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTP2

/// What the settings' files hold, read once when the channel is made.
struct Credentials: Sendable {
    /// The token that proves who we are; `nil` with a certificate.
    let token: ProviderToken?
    /// How TLS is done.
    let tls: HTTP2ClientTLS
    /// The topic where a device brings none.
    let topic: String?

    /// A file that was fine at the check, and is not any more.
    struct LoadError: Error, CustomStringConvertible {
        let description: String
    }

    init(_ settings: APNsSettings) throws(LoadError) {
        var tls = HTTP2ClientTLS(extraRoots: try settings.ca.map(Self.read) ?? [])
        switch settings.auth {
        case .key(let key):
            token = try Self.token(key)
            topic = settings.topic
        case .certificate(let certificate):
            let identity = try Self.identity(certificate)
            tls.certificate = Array(identity.chain.utf8)
            tls.key = Array(identity.privateKey.utf8)
            token = nil
            topic = settings.topic ?? PushTopics(identity.facts).usual
        case nil:
            throw LoadError(description: "'auth' is missing")
        }
        self.tls = tls
    }

    private static func token(_ settings: KeySettings) throws(LoadError) -> ProviderToken {
        let file = try read(settings.path)
        do throws(CryptoError) {
            let key = try SigningKey(pem: file, kind: .p256)
            return ProviderTokens.shared.token(keyID: settings.keyID, teamID: settings.teamID, key: key, file: file)
        } catch {
            throw LoadError(description: "the key \(settings.path.written) cannot be used: \(error.description)")
        }
    }

    private static func identity(_ settings: CertificateSettings) throws(LoadError) -> ClientCertificate {
        let file = try read(settings.path)
        do throws(ClientCertificate.ReadError) {
            return try ClientCertificate(file: file, password: settings.password?.reveal())
        } catch {
            throw LoadError(description: "the certificate \(settings.path.written) \(error.description)")
        }
    }

    private static func read(_ path: FilePath) throws(LoadError) -> [UInt8] {
        do throws(SmallFile.ReadError) { return try SmallFile.read(path.resolved, atMost: 1 << 20) } catch {
            throw LoadError(description: "\(path.written) cannot be read: \(error.reason)")
        }
    }
}
