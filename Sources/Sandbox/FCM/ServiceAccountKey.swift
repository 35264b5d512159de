// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON

/// The one service account that may send.
struct ServiceAccountKey: Sendable {
    static let project = "busd-sandbox"
    static let email = "bus@busd-sandbox.iam.gserviceaccount.com"
    static let id = "5a6db0c5005a6db0c5005a6db0c5005a6db0c500"
    static let file = "service-account.json"

    /// Made once for all sandboxes of a process: an RSA key takes a good part of a second.
    private static let made = Result { try SigningKey.generate(.rsa) }

    /// What the bus signs with.
    let key: SigningKey

    init(in files: SandboxFiles) throws {
        let old = files.read(Self.file).flatMap { try? JSONValue(parsing: $0) }
        if let pem = old?["private_key"]?.string, let key = try? SigningKey(pem: Array(pem.utf8), kind: .rsa) {
            self.key = key
        } else {
            key = try Self.made.get()
        }
    }

    /// Writes the file as the Firebase console makes it, with our token endpoint in it.
    func write(to files: SandboxFiles, tokenURI: String) throws {
        let members: [(String, JSONValue)] = [
            ("type", "service_account"), ("project_id", .string(Self.project)),
            ("private_key_id", .string(Self.id)), ("private_key", .string(try key.pem())),
            ("client_email", .string(Self.email)), ("client_id", "100000000000000000001"),
            ("token_uri", .string(tokenURI)),
        ]
        var writer = JSONWriter()
        writer.value(JSONValue(members: members))
        try files.write(writer.text + "\n", to: Self.file, isSecret: true)
    }
}
