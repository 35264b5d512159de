// SPDX-License-Identifier: Apache-2.0

public import Bus
import Crypto

/// A user name and its password, as a bank is known by them.
public struct Credentials: ModuleSettings {
    let username: String
    let password: Secret

    /// Reads both; neither may be left out.
    public init(from reader: inout SettingsReader) {
        username = reader.required("username", "The name the bank logs in with.", example: "bank") {
            $0.isEmpty || $0.contains(":") ? "must not be empty or hold a colon" : nil
        }
        password = reader.required("password", "Its password.", example: "${BANK_PASSWORD}") { (secret: Secret) in
            secret.reveal().isEmpty ? "must not be empty" : nil
        }
    }

    /// Whether a header holds them (RFC 7617); takes as long for any wrong password of the same length.
    func match(authorization header: String?) -> Bool {
        guard let header, header.prefix(6).lowercased() == "basic " else { return false }
        let encoded = header.dropFirst(6).drop { $0 == " " }
        guard let given = Base64.decode(encoded.utf8) else { return false }
        return ConstantTime.equal(given, Array("\(username):\(password.reveal())".utf8))
    }
}
