// SPDX-License-Identifier: Apache-2.0

public import Bus
import Crypto

/// The bearer tokens an operator has given out, in a form that can be compared and not read.
public struct BearerTokens: Sendable {
    private let digests: [[UInt8]]

    /// Takes tokens over.
    public init(_ tokens: [Secret]) { digests = tokens.map { SHA256.hash($0.reveal()).bytes } }

    /// Whether a token is one of them; the time it takes tells neither which nor how much of it is right.
    public func contains(_ token: String) -> Bool {
        let digest = SHA256.hash(token).bytes
        // Every one is compared, and only digests: no early end, no length to learn.
        return digests.reduce(false) { ConstantTime.equal($1, digest) || $0 }
    }

    /// Why a text cannot be a bearer token (RFC 6750, 2.1), to go on after an option's name.
    public static func problem(_ token: Secret) -> String? {
        let text = token.reveal()
        if text.isEmpty { return "must not be empty" }
        let isPlain = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        return isPlain ? nil : "must be printable ASCII without blanks, or no client can send it"
    }
}

extension HTTPRequest {
    /// The token of `Authorization: Bearer TOKEN`; `nil` where there is none.
    public var bearerToken: String? {
        guard let value = headers["Authorization"] else { return nil }
        // One blank or more between the two (RFC 9110 §11.4), and none counts at the end (§5.5).
        let parts = value.utf8.split { $0 == 0x20 || $0 == 0x09 }
        guard parts.count == 2, String(parts[0])?.lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
