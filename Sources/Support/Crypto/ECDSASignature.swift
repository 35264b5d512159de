// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// The two forms of an ECDSA signature on P-256: DER, which OpenSSL makes, and R‖S, which JWT wants.
enum ECDSASignature {
    /// R‖S, 32 bytes each; `nil` where the bytes are not a DER signature.
    static func raw(der: [UInt8]) -> [UInt8]? {
        let parsed = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &cursor, buffer.count)
        }
        guard let parsed else { return nil }
        defer { ECDSA_SIG_free(parsed) }
        var raw = [UInt8](repeating: 0, count: 64)
        let filled = raw.withUnsafeMutableBufferPointer { out -> Bool in
            guard let start = out.baseAddress else { return false }
            return BN_bn2binpad(ECDSA_SIG_get0_r(parsed), start, 32) == 32
                && BN_bn2binpad(ECDSA_SIG_get0_s(parsed), start + 32, 32) == 32
        }
        return filled ? raw : nil
    }

    /// DER of 64 bytes R‖S.
    static func der(raw: [UInt8]) -> [UInt8]? {
        guard raw.count == 64, let made = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(made) }
        let r = raw.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, 32, nil) }
        let s = raw[32...].withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, 32, nil) }
        // Takes both numbers over, but only where it succeeds.
        guard ECDSA_SIG_set0(made, r, s) == 1 else {
            BN_free(r)
            BN_free(s)
            return nil
        }
        let length = Int(i2d_ECDSA_SIG(made, nil))
        guard length > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: length) { out, count in
            var cursor = out.baseAddress
            count = max(0, Int(i2d_ECDSA_SIG(made, &cursor)))
        }
    }
}
