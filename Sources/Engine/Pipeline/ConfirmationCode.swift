// SPDX-License-Identifier: Apache-2.0

import Crypto

/// Six digits that prove who holds a phone; told to nobody but by a text message to it.
struct ConfirmationCode {
    private static let saltLength = 16

    /// The digits; no log or error ever shows them.
    let digits: String

    /// Makes one that nobody can guess.
    init() {
        // What is left of 2^64 above a multiple of a million makes some codes likelier by one in 10^13.
        let number = String(SecureRandom.integer() % 1_000_000)
        digits = String(repeating: "0", count: 6 - number.utf8.count) + number
    }

    /// What is kept of it: a salt, and the HMAC of the digits under it.
    ///
    /// It keeps codes out of backups and dumps. Who may read the store while a code lives can try a million of them.
    var seal: [UInt8] {
        let salt = SecureRandom.bytes(Self.saltLength)
        return salt + HMACSHA256.code(for: Array(digits.utf8), key: salt)
    }

    /// Whether what a user typed is the code that was sealed; in constant time.
    static func opens(_ seal: [UInt8], _ typed: String) -> Bool {
        let salt = Array(seal.prefix(saltLength))
        let code = HMACSHA256.code(for: Array(typed.utf8), key: salt)
        return ConstantTime.equal(code, Array(seal.dropFirst(saltLength)))
    }
}
