// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Files
import HTTPServer
import SQLiteStore
import Synchronization
import Threads

/// A bus at work: store, pipelines and listeners, started in the order in which data flows and stopped in the other.
final class Node: Sendable {
    /// Where banks and apps reach it.
    let server: HTTPServer
    /// Where operators reach it.
    let admin: HTTPServer
    let log: Log
    private let ledger: any Ledger
    private let runners: [PipelineRunner]
    private let retention: Retention
    private let drainTimeout: Duration
    private let state: NodeState

    /// Opens the store, builds the pipelines and begins to listen.
    ///
    /// - Throws: what stands in the way, in words for an operator.
    init(
        _ configuration: Configuration,
        log: Log,
        observer: (@Sendable (DeliveryEvent) -> Void)? = nil
    ) async throws {
        let node = configuration.node
        let ledger = try Self.openStore(node.store)
        self.ledger = ledger
        self.log = log
        retention = Retention(ledger: ledger, kept: node.retention, log: log)
        drainTimeout = node.drainTimeout
        do {
            runners = try configuration.plans.map {
                try PipelineRunner($0, ledger: ledger, log: log, observer: observer)
            }
            let claims = runners.flatMap(\.paths)
            let faults = claims.compactMap(\.problem) + PathClaim.conflicts(claims)
            if faults.hasErrors { throw ConfigurationError(faults) }
            let pipelines = runners.map(\.pipeline)
            let office = DeadLetterOffice(ledger) { letter in
                pipelines.first { $0.name == letter.pipeline }?.dispatcher.reopened(letter.link)
            }
            state = NodeState(runners: runners, deadLetters: office, log: log)
            admin = try HTTPServer(
                listen: [node.admin.listen.settingsText],
                routes: AdminRoutes(state: state, token: node.admin.token).routes
            )
            for runner in runners { await runner.start() }
            do {
                server = try HTTPServer(
                    listen: node.listen.map(\.settingsText),
                    routes: runners.flatMap(\.routes),
                    tls: configuration.tls
                )
            } catch {
                for runner in runners { await runner.drain() }
                throw error
            }
        } catch {
            ledger.close()
            throw error
        }
        for runner in runners { Self.run(runner, log) }
        retention.start()
        state.setReady(true)
    }

    /// Answers what was begun, finishes what is under way, and closes the store.
    func stop() async {
        state.setReady(false)
        let done = Gate()
        Task {
            await server.stop(drain: drainTimeout)
            await retention.drain()
            for runner in runners { await runner.drain() }
            done.open()
        }
        let limit = drainTimeout
        let timer = Task {
            try? await Task.sleep(for: limit)
            done.open()
        }
        await done.wait()
        timer.cancel()
        ledger.close()
        await admin.stop(drain: .seconds(1))
    }

    private static func run(_ runner: PipelineRunner, _ log: Log) {
        Task {
            do { try await runner.run() } catch {
                log.error("a module failed", ["pipeline": runner.pipeline.name, "reason": "\(error)"])
            }
        }
    }

    private static func openStore(_ location: StoreLocation) throws -> any Ledger {
        switch location {
        case .sqlite(let path):
            if let folder = Folder.parent(of: path.resolved) { try Folder.make(folder, mode: 0o700) }
            return try SQLiteLedger(path: path.resolved)
        case .postgresql: throw NodeError(message: "PostgreSQL is not available in this release")
        }
    }
}

/// Why a node does not start.
struct NodeError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}

/// What the admin endpoints tell of a node.
final class NodeState: Sendable {
    let runners: [PipelineRunner]
    let deadLetters: DeadLetterOffice
    let log: Log
    private let ready = Mutex(false)

    init(runners: [PipelineRunner], deadLetters: DeadLetterOffice, log: Log) {
        self.runners = runners
        self.log = log
        self.deadLetters = deadLetters
    }

    var isReady: Bool { ready.withLock { $0 } }

    func setReady(_ isReady: Bool) { ready.withLock { $0 = isReady } }
}
