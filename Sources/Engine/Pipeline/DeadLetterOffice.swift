// SPDX-License-Identifier: Apache-2.0

import Bus
import Threads

/// What operators see of dead letters, and decide about them.
public struct DeadLetterOffice: Sendable {
    private let ledger: any DeadLetterLedger

    /// Opens the office of a ledger's dead letters, of all pipelines.
    public init(_ ledger: any DeadLetterLedger) { self.ledger = ledger }

    /// Dead letters, newest first, those older than the number `before`.
    public func list(before: Int64?, limit: Int) async -> Result<[DeadLetter], LedgerError> {
        await completed { ledger.deadLetters(before: before, limit: limit, completion: $0) }
    }

    /// One dead letter with all its users; `nil` where there is none.
    public func letter(_ number: Int64) async -> Result<DeadLetter?, LedgerError> {
        await completed { ledger.deadLetter(number, completion: $0) }
    }

    /// Has the bank told again, after whatever waits for it of the same notification, or a text message sent that a
    /// gateway refused, while its code lives; `false` where there is nothing to replay.
    public func replay(_ number: Int64) async -> Result<Bool, LedgerError> {
        await completed { ledger.replayDeadLetter(number, at: .now(), completion: $0) }
    }

    /// Forgets a dead letter; `false` where there is none.
    public func drop(_ number: Int64) async -> Result<Bool, LedgerError> {
        await completed { ledger.dropDeadLetter(number, completion: $0) }
    }
}
