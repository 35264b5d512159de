// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The certificates and keys of the sandbox.
///
/// Those of an earlier run in the same folder are used again, so that a bus which has read them keeps working.
struct SandboxKeys {
    /// The id of the one key that may push: ten characters, as Apple's.
    static let keyID = "SANDBOX001"
    /// The team that the key belongs to.
    static let teamID = "BUSDTEAM01"
    static let authorityFile = "ca.pem"
    static let keyFile = "AuthKey_\(keyID).p8"
    private static let certificateFile = "server.pem"
    private static let serverKeyFile = "server.key"

    /// The certificate of the servers and its key, PEM.
    let server: (certificate: String, key: String)
    /// The key that a bus signs its JWTs with.
    let provider: SigningKey

    init(in files: SandboxFiles) throws {
        server = try Self.server(in: files)
        provider = try Self.provider(in: files)
    }

    private static func server(in files: SandboxFiles) throws -> (certificate: String, key: String) {
        if files.read(authorityFile) != nil, let certificate = files.read(certificateFile),
            let key = files.read(serverKeyFile)
        {
            return (certificate, key)
        }
        let authority = try CertificateAuthority(name: "busd sandbox")
        let identity = try authority.server(["localhost", "127.0.0.1", "::1"], days: 3650)
        try files.write(authority.certificate, to: authorityFile)
        try files.write(identity.certificate, to: certificateFile)
        try files.write(identity.privateKey, to: serverKeyFile, isSecret: true)
        return (identity.certificate, identity.privateKey)
    }

    private static func provider(in files: SandboxFiles) throws -> SigningKey {
        if let text = files.read(keyFile), let key = try? SigningKey(pem: Array(text.utf8), kind: .p256) { return key }
        let key = try SigningKey.generate(.p256)
        try files.write(try key.pem(), to: keyFile, isSecret: true)
        return key
    }
}
