// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import HTTPServer
import Synchronization

/// What the admin endpoints tell of a node.
final class NodeState: Sendable {
    /// How far a node is.
    enum Life {
        case starting
        /// It serves banks and apps on these listeners, if on any.
        case running(HTTPServer?)
        case draining
    }

    let runners: [PipelineRunner]
    let deadLetters: DeadLetterOffice
    let ledger: any ObservedLedger
    let log: Log
    /// Knows whom the operators' listener turned away.
    let door: Door
    private let life = Mutex(Life.starting)

    init(runners: [PipelineRunner], deadLetters: DeadLetterOffice, ledger: any ObservedLedger, log: Log) {
        self.runners = runners
        self.deadLetters = deadLetters
        self.ledger = ledger
        self.log = log
        door = Door(label: "admin", callers: Door.Callers(), log: log.with("module", "admin"))
    }

    /// Goes on to the next part of a node's life.
    func enter(_ next: Life) { life.withLock { $0 = next } }

    /// Why the node is not ready, a line each; empty where it is.
    ///
    /// Far ends have no say in it.
    var obstacles: [String] {
        var found: [String]
        switch life.withLock({ $0 }) {
        case .starting: return ["it is starting"]
        case .draining: return ["it is draining"]
        case .running(let server): found = server?.troubles ?? []
        }
        if let problem = ledger.condition.problem { found.append("the store cannot take anything on: \(problem)") }
        for runner in runners {
            for module in runner.failedModules {
                found.append("pipeline '\(runner.pipeline.name)': its module '\(module)' failed; the log says why")
            }
        }
        return found
    }
}
