// SPDX-License-Identifier: Apache-2.0

/// The rules for a provider's address of an app on a device.
public enum DeviceToken {
    /// The most hexadecimal digits of an APNs token, whose length Apple leaves open.
    public static let longestHex = 512
    /// The most bytes of an FCM token.
    public static let longestOpaque = 4_096

    /// Brings a token into the form the provider wants.
    ///
    /// IOS: hexadecimal digits, an even number; the `<`, `>` and blanks of old client dumps are removed, letters
    /// lower-cased. ANDROID: opaque, without blanks. What a failed client sends in place of a token is refused.
    public static func normalized(_ token: String, for platform: Platform) -> Result<String, Refusal> {
        let isPlaceholder = token.isEmpty || token == "null" || token == "(null)" || token == "nil"
        if isPlaceholder { return .failure(Refusal(field: "token", "is empty")) }
        switch platform {
        case .ios: return normalizedHex(token)
        case .android: return opaque(token)
        }
    }

    private static func normalizedHex(_ token: String) -> Result<String, Refusal> {
        var digits: [UInt8] = []
        for byte in token.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(byte | 0x20)
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: " "), 0x09, 0x0a, 0x0d: continue
            default: return .failure(Refusal(field: "token", "must be hexadecimal digits"))
            }
        }
        guard !digits.isEmpty, digits.count % 2 == 0, digits.count <= longestHex else {
            return .failure(Refusal(field: "token", "must have an even number of digits, at most \(longestHex)"))
        }
        return .success(String(decoding: digits, as: UTF8.self))
    }

    private static func opaque(_ token: String) -> Result<String, Refusal> {
        let isClean = token.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
        guard isClean, token.utf8.count <= longestOpaque else {
            return .failure(Refusal(field: "token", "must be 1 to \(longestOpaque) bytes without blanks"))
        }
        return .success(token)
    }
}
