// SPDX-License-Identifier: Apache-2.0

import Bus
import Threads

/// Asks a ledger and waits for what it completes with.
func completed<Value: Sendable>(_ body: (@escaping Completion<Value>) -> Void) async -> Result<Value, LedgerError> {
    await withUnsafeContinuation { continuation in body { continuation.resume(returning: $0) } }
}

/// Asks a ledger and blocks until it completes: for threads of the bus's own.
func waited<Value: Sendable>(_ body: (@escaping Completion<Value>) -> Void) -> Result<Value, LedgerError> {
    let answer = Mailbox<Result<Value, LedgerError>>(capacity: 1)
    body { answer.post($0) }
    return answer.take()?.first ?? .failure(.closed)
}
