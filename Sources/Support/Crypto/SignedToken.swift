// SPDX-License-Identifier: Apache-2.0

/// A JWT taken apart but not yet believed: check ``isSigned(by:)`` before its claims.
public struct SignedToken: Sendable {
    /// The header's JSON.
    public let header: [UInt8]
    /// The claims' JSON.
    public let claims: [UInt8]
    private let signature: [UInt8]
    private let signed: [UInt8]

    /// Takes a compact JWT apart; `nil` where it is not three parts of base64url, or longer than 8 KiB.
    public init?(_ text: String) {
        guard text.utf8.count <= 8192 else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Base64.decode(parts[0], .url),
            let claims = Base64.decode(parts[1], .url),
            let signature = Base64.decode(parts[2], .url)
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
    }

    /// Says whether the key's algorithm (ES256 or RS256) confirms the signature.
    ///
    /// The caller compares `alg` in ``header`` as well: the key decides the algorithm, never the token.
    public func isSigned(by key: VerifyingKey) -> Bool { key.verifies(signature, of: signed) }
}
