// SPDX-License-Identifier: Apache-2.0

import Bus

/// Asks a ledger and waits for what it completes with.
func completed<Value: Sendable>(_ body: (@escaping Completion<Value>) -> Void) async -> Result<Value, LedgerError> {
    await withUnsafeContinuation { continuation in body { continuation.resume(returning: $0) } }
}
