// SPDX-License-Identifier: Apache-2.0

/// JSON Web Tokens (RFC 7519) with ES256 or RS256.
public enum JWT {
    /// A value in a header or among the claims.
    public enum Value: Sendable {
        /// A text.
        case string(String)
        /// A whole number, as `iat` is: seconds since 1970.
        case integer(Int64)
    }

    /// Signs the claims; `alg` is put in front of the header's members.
    ///
    /// - Throws: ``CryptoError`` where the key does not sign.
    public static func sign(
        header: KeyValuePairs<String, Value>,
        claims: KeyValuePairs<String, Value>,
        key: SigningKey
    ) throws(CryptoError) -> String {
        let algorithm = key.kind == .p256 ? "ES256" : "RS256"
        let members = [("alg", Value.string(algorithm))] + header.map { ($0.key, $0.value) }
        let head = Base64.encode(json(members), .url)
        let body = Base64.encode(json(claims.map { ($0.key, $0.value) }), .url)
        let signature = try key.sign(Array("\(head).\(body)".utf8))
        return "\(head).\(body).\(Base64.encode(signature, .url))"
    }

    private static func json(_ members: [(String, Value)]) -> [UInt8] {
        let texts = members.map { name, value in
            switch value {
            case .string(let text): "\(quoted(name)):\(quoted(text))"
            case .integer(let number): "\(quoted(name)):\(number)"
            }
        }
        return Array("{\(texts.joined(separator: ","))}".utf8)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\u{0}"..."\u{1f}": result += "\\u00" + Hex.encode([UInt8(scalar.value)])
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
