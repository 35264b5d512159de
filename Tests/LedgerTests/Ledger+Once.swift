// SPDX-License-Identifier: Apache-2.0

import Bus
import ClockTesting
import Engine

/// What a ledger said of a key.
enum KeyUse { case firstAndKept, firstAndLost, again }

extension Ledger {
    /// Uses a key, and waits for the disk.
    func use(_ key: HashedKey, until: WallTime = .now() + 600_000) async throws -> KeyUse {
        try await withCheckedThrowingContinuation { continuation in
            once(key, until: until) { verdict in
                switch verdict {
                case .success(true): return
                case .success(false): continuation.resume(returning: .again)
                case .failure(let error): continuation.resume(throwing: error)
                }
            } kept: { result in
                if case .success = result {
                    continuation.resume(returning: .firstAndKept)
                } else {
                    continuation.resume(returning: .firstAndLost)
                }
            }
        }
    }
}
