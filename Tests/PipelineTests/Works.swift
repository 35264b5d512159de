// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import LedgerTesting
import SQLite
import Synchronization
import TestSupport
import Testing
import YAML

import struct Foundation.UUID

@testable import busd

/// What the modules of one test's pipeline do, by the pipeline's name.
final class Script: Sendable {
    struct State {
        var verdict: @Sendable (Message) -> StageResult = { .proceed($0) }
        /// What the push channel says; `nil`: nothing.
        var outcome: Outcome? = .accepted
        var sent: [Delivery] = []
        var told: [BankEvent] = []
        var run: (@Sendable () async throws -> Void)?
    }

    private static let all = Mutex<[String: Script]>([:])
    private let state = Mutex(State())

    /// Looks at it or changes it.
    func with<Value>(_ body: (inout sending State) -> sending Value) -> sending Value { state.withLock(body) }

    static func named(_ name: String) -> Script {
        all.withLock { scripts in
            let script = scripts[name] ?? Script()
            scripts[name] = script
            return script
        }
    }
}

struct NoSettings: ModuleSettings {
    init(from reader: inout SettingsReader) {}
}

struct QuietApp: InboundAdapter {
    static let name = "app"
    static let summary = "For tests."
    init(settings: NoSettings, context: ModuleContext) {}
}

struct ScriptedStage: Stage {
    static let name = "scripted"
    static let summary = "For tests."
    private let script: Script
    init(settings: NoSettings, context: ModuleContext) { script = .named(context.pipeline) }
    func process(_ message: Message) async -> StageResult { script.with { $0.verdict }(message) }

    func run() async throws {
        if let run = script.with({ $0.run }) { return try await run() }
        try await Task.sleep(for: .seconds(600))
    }
}

struct ScriptedChannel: OutboundChannel {
    static let name = "push"
    static let summary = "For tests."
    let reach = Reach.devices([.ios])
    private let script: Script
    init(settings: NoSettings, context: ModuleContext) { script = .named(context.pipeline) }

    func send(_ deliveries: [Delivery], to sink: any DeliverySink) {
        let outcome = script.with { state in
            state.sent += deliveries
            return state.outcome
        }
        guard let outcome else { return }
        sink.report(deliveries.map { DeliveryReport(ticket: $0.ticket, outcome: outcome) })
    }
}

struct RecordingLink: BankLink {
    static let name = "bank"
    static let summary = "For tests."
    let events = Set(BankEvent.Kind.allCases)
    private let script: Script
    init(settings: NoSettings, context: ModuleContext) { script = .named(context.pipeline) }

    func send(_ events: [BankEvent], to sink: any DeliverySink) {
        script.with { $0.told += events }
        sink.report(events.map { DeliveryReport(ticket: $0.ticket, outcome: .accepted) })
    }
    func ask(_ question: SubscriptionQuestion) async throws -> Bool { true }
}

/// A pipeline with a scripted stage, channel and bank, over a ledger in a file of its own.
final class Works: Sendable {
    let script: Script
    let log = LogLines()
    private let name = "p\(UUID().uuidString.lowercased())"
    private let place: LedgerPlace
    private let running: Mutex<(ledger: any Ledger, runner: PipelineRunner)>

    init(_ kind: LedgerKind = .sqlite) throws {
        script = .named(name)
        place = try LedgerPlace(kind, runsBySystemClocks: true)
        running = Mutex(try Self.open(name, place, log))
    }

    deinit { running.withLock { $0.ledger.close() } }

    var runner: PipelineRunner { running.withLock { $0.runner } }
    var pipeline: Pipeline { runner.pipeline }
    var ledger: any Ledger { running.withLock { $0.ledger } }
    var path: String { place.path }

    /// Closes the ledger, has something done to its file, and opens it again.
    func reopen(_ change: (Connection) throws -> Void = { _ in }) throws {
        try running.withLock {
            $0.ledger.close()
            if place.kind == .sqlite { try change(Connection(path: place.path)) }
            $0 = try Self.open(name, place, log)
        }
    }

    func submit(_ notification: Notification) async -> Reply { await pipeline.submit(.notification(notification)) }

    func register(_ user: RecipientID) async {
        let registration = Registration(
            app: "retail",
            user: Recipient(user),
            deviceID: "of \(user)",
            platform: .ios,
            token: user.text.utf8.map { String($0, radix: 16) }.joined()
        )
        _ = await pipeline.submit(.registration(registration))
    }

    func status(of id: NotificationID) async -> DeliveryStatus? {
        guard case .statuses(let statuses) = await pipeline.submit(.query(.deliveryStatus(id))) else { return nil }
        return statuses.first?.status
    }

    private static func open(
        _ name: String,
        _ place: LedgerPlace,
        _ log: LogLines
    ) throws -> (any Ledger, PipelineRunner) {
        var registry = Registry()
        registry.register(QuietApp.self)
        registry.register(ScriptedStage.self)
        registry.register(ScriptedChannel.self)
        registry.register(RecordingLink.self)
        let text = """
            pipeline: \(name)
            inbound: [{ app: {} }]
            stages: [{ scripted: {} }]
            outbound: [{ push: {} }, { bank: {} }]
            """
        let file = try PipelineFile.read(YAML.parse(text, file: "p.yaml"))
        let plan = PipelinePlan(file, registry: registry, context: SettingsContext())
        try #require(!plan.diagnostics.hasErrors, "\(plan.diagnostics)")
        let ledger = try place.open()
        return (ledger, try PipelineRunner(plan, ledger: ledger, log: log.log))
    }
}

/// What was logged.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    var log: Log {
        Log(minimum: .info) { [self] level, message, fields in
            let line = "\(level) \(message) " + fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            lines.withLock { $0.append(line) }
        }
    }
}

extension Notification {
    static func sample(_ id: NotificationID = "n1", to users: [RecipientID] = ["anna"]) -> Notification {
        Notification(
            id: id,
            recipients: users.map { Recipient($0) },
            timeout: 600,
            content: PushContent(badge: 0, text: "a text like no other", type: .universal)
        )
    }
}

/// Waits until something holds, for at most ten seconds.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return try await condition()
}

extension NodeState {
    convenience init(_ works: Works) {
        self.init(
            runners: [works.runner],
            deadLetters: DeadLetterOffice(works.ledger),
            ledger: works.ledger,
            log: works.log.log
        )
    }
}
