// SPDX-License-Identifier: Apache-2.0

public import Bus
import Crypto

extension LedgerIdentity {
    /// What stands for a recipient's phone number where a device's number would: subscriptions are numbered from 1.
    public static var phone: Int64 { 0 }

    /// The id of a delivery to a device, the same on every attempt and after every restart, without being stored.
    ///
    /// A UUID of version 8 (RFC 9562): SHA-256 of the ledger's own random bits and both numbers, so that two
    /// ledgers never make the same, and none tells how many messages a bank sends.
    public func messageID(_ delivery: Int64, _ device: Int64) -> MessageID {
        let input = (high.bigEndian, low.bigEndian, delivery.bigEndian, device.bigEndian)
        let digest = withUnsafeBytes(of: input) { SHA256.hash($0) }
        return digest.withBytes { bytes in
            let high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
            let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            return MessageID(
                high: high & ~0xf000 | 0x8000,
                low: low & ~(0b11 << 62) | 0b10 << 62
            )
        }
    }
}
