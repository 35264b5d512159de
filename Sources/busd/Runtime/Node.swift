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
    private let storeReports: StoreReports
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
        let ledger = try Self.openStore(node.store, log)
        self.ledger = ledger
        storeReports = StoreReports(ledger, log: log)
        self.log = log
        retention = Retention(ledger: ledger, kept: node.retention, log: log)
        drainTimeout = node.drainTimeout
        do {
            runners = try Self.build(configuration, ledger, log, observer)
            let office = DeadLetterOffice(ledger)
            state = NodeState(runners: runners, deadLetters: office, ledger: ledger, log: log)
            admin = try HTTPServer(
                listen: [node.admin.listen.settingsText],
                routes: AdminRoutes(state: state, token: node.admin.token).routes,
                log: log
            )
            server = try await Self.serve(runners, configuration, log)
        } catch {
            ledger.close()
            throw error
        }
        for runner in runners { Task { await runner.run() } }
        retention.start()
        storeReports.start()
        state.enter(.running(server))
    }

    /// Builds the pipelines, whose paths must not stand in each other's way.
    private static func build(
        _ configuration: Configuration,
        _ ledger: any Ledger,
        _ log: Log,
        _ observer: (@Sendable (DeliveryEvent) -> Void)?
    ) throws -> [PipelineRunner] {
        let runners = try configuration.plans.map {
            try PipelineRunner($0, ledger: ledger, log: log, observer: observer)
        }
        let claims = runners.flatMap(\.paths)
        let faults = claims.compactMap(\.problem) + PathClaim.conflicts(claims)
        if faults.hasErrors { throw ConfigurationError(faults) }
        return runners
    }

    /// Starts the pipelines, then listens; where it cannot, the pipelines are drained again.
    private static func serve(
        _ runners: [PipelineRunner],
        _ configuration: Configuration,
        _ log: Log
    ) async throws -> HTTPServer {
        for runner in runners { await runner.start() }
        do {
            return try HTTPServer(
                listen: configuration.node.listen.map(\.settingsText),
                routes: runners.flatMap(\.routes),
                tls: configuration.tls,
                options: configuration.node.connections.options,
                log: log
            )
        } catch {
            for runner in runners { await runner.drain() }
            throw error
        }
    }

    /// Answers what was begun, finishes what is under way, and closes the store.
    ///
    /// All pipelines drain at once. New callers get 503 until the end; then the listeners close, the store last.
    func stop() async {
        state.enter(.draining)
        server.replaceRoutes(runners.flatMap(\.routes).map(\.whileDraining))
        log.info("stopping")
        let done = Gate()
        Task {
            await drain()
            done.open()
        }
        let limit = drainTimeout
        let timer = Task {
            try? await Task.sleep(for: limit)
            guard !Task.isCancelled, done.open() else { return }
            log.warning("not everything came to its end within drain_timeout; it is in the store for the next start")
        }
        await done.wait()
        timer.cancel()
        await server.stop(drain: .milliseconds(500))
        storeReports.end()
        ledger.close()
        await admin.stop(drain: .seconds(1))
    }

    private func drain() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.retention.drain() }
            for runner in runners { group.addTask { await runner.drain() } }
        }
        // Calls that were taken on before; those that are turned away now do not count.
        while server.requestsInProgress > 0 { try? await Task.sleep(for: .milliseconds(20)) }
    }

    /// Opens the store, and makes one where there is none.
    ///
    /// - Throws: what stands in the way, in words for an operator.
    static func openStore(_ location: StoreLocation, _ log: Log) throws -> any Ledger {
        switch location {
        case .sqlite(let path):
            if let folder = Folder.parent(of: path.resolved) { try Folder.make(folder, mode: 0o700) }
            let ledger = try SQLiteLedger(path: path.resolved)
            if ledger.isNew { log.info("a new store was made: there was none", ["store": path.resolved]) }
            if ledger.wasLeftOpen {
                log.warning(
                    "the bus did not come to close its store the last time; as far as its record of commits tells it is whole"
                )
            }
            return ledger
        case .postgresql: throw NodeError(message: "PostgreSQL is not available in this release")
        }
    }
}

/// Why a node does not start.
struct NodeError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
