// SPDX-License-Identifier: Apache-2.0

public import Engine
import SQLite

extension SQLiteLedger {
    /// Writes, before gateways are asked, that they are; completes with whether each was written.
    public func intend(_ intents: [Settlement], completion: @escaping Completion<[Bool]>) {
        let errand = WriteErrand(isUrgent: true, completion) { statements throws(SQLiteError) in
            var written: [Bool] = []
            for intent in intents { written.append(try statements.settlements.intend(intent)) }
            return written
        }
        // It ends work that is itself bounded: what banks bring must not keep it out.
        write(.errand(errand), weight: intents.count, endsWork: true)
    }

    /// Keeps what a gateway told of a text message; completes with `false` where it had got none.
    public func receive(_ report: NewGatewayReport, completion: @escaping Completion<KeptReport>) {
        write(completion) { statements throws(SQLiteError) in try statements.texts.receive(report) }
    }
}
