// SPDX-License-Identifier: Apache-2.0

import Bus
import Synchronization

/// The log of `busd run`, which is there before the node file says what it looks like.
///
/// Once it does, and it says JSON, everything on standard error is a line of JSON, what was found in the files too.
final class RunLog: Sendable {
    private struct State {
        var log = StandardErrorLog.make(NodeFile.withoutFile.log)
        var format = LogSettings.Format.text
    }

    private let state = Mutex(State())

    /// The log as it is now.
    var log: Log { state.withLock { $0.log } }

    /// Takes the node file's word; returns the log.
    func adopt(_ settings: LogSettings) -> Log {
        state.withLock { state in
            state = State(log: StandardErrorLog.make(settings), format: settings.format)
            return state.log
        }
    }

    /// Tells what was found in the files, whatever the log's level.
    func tell(_ diagnostics: [Diagnostic]) {
        let list = DiagnosticList(diagnostics)
        switch state.withLock({ $0.format }) {
        case .text: list.print()
        case .json: list.write(to: StandardErrorLog.make(LogSettings(level: .info, format: .json)))
        }
    }

    /// Tells why the bus does not run.
    func tell(failure: String) {
        switch state.withLock({ $0.format }) {
        case .text: Console.error("busd run: \(failure)")
        case .json: log.error(failure)
        }
    }
}
