// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import HTTP2
import PushService

/// What the settings' files hold, read once when the channel is made.
struct Credentials: Sendable {
    /// The token that proves who we are; `nil` with a certificate.
    let token: ProviderToken?
    /// How TLS is done.
    let tls: HTTP2ClientTLS
    /// The topic where a device brings none.
    let topic: String?

    init(_ settings: APNsSettings) throws(ProviderFile.LoadError) {
        var tls = HTTP2ClientTLS(extraRoots: try settings.ca.map(ProviderFile.read) ?? [])
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
            throw ProviderFile.LoadError("'auth' is missing")
        }
        self.tls = tls
    }

    private static func token(_ settings: KeySettings) throws(ProviderFile.LoadError) -> ProviderToken {
        let file = try ProviderFile.read(settings.path)
        do throws(CryptoError) {
            let key = try SigningKey(pem: file, kind: .p256)
            return ProviderTokens.shared.token(keyID: settings.keyID, teamID: settings.teamID, key: key, file: file)
        } catch {
            throw ProviderFile.LoadError("the key \(settings.path.written) cannot be used: \(error.description)")
        }
    }

    private static func identity(_ settings: CertificateSettings) throws(ProviderFile.LoadError) -> ClientCertificate {
        let file = try ProviderFile.read(settings.path)
        do throws(ClientCertificate.ReadError) {
            return try ClientCertificate(file: file, password: settings.password?.reveal())
        } catch {
            throw ProviderFile.LoadError("the certificate \(settings.path.written) \(error.description)")
        }
    }
}
