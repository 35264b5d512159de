// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Foundation
import LedgerTesting
import MapIDs
import Synchronization
import TestSupport
import Testing
import YAML

/// A bank that answers as a test wants, found by the name of its pipeline.
final class ScriptedBank: Sendable {
    private struct State {
        var isAuthorized = false
        var accepts = true
        var code = "1234"
        var failure: BankLinkError?
        var questions: [SubscriptionQuestion] = []
    }

    private static let all = Mutex<[String: ScriptedBank]>([:])
    private let state = Mutex(State())

    static func named(_ pipeline: String) -> ScriptedBank {
        all.withLock { all in
            let bank = all[pipeline] ?? ScriptedBank()
            all[pipeline] = bank
            return bank
        }
    }

    var questions: [SubscriptionQuestion] { state.withLock { $0.questions } }

    func authorize(_ isAuthorized: Bool) { state.withLock { $0.isAuthorized = isAuthorized } }
    func accept(_ accepts: Bool) { state.withLock { $0.accepts = accepts } }
    func fail(_ failure: BankLinkError?) { state.withLock { $0.failure = failure } }

    func answer(_ question: SubscriptionQuestion) throws -> Bool {
        try state.withLock { state in
            state.questions.append(question)
            if let failure = state.failure { throw failure }
            switch question {
            case .isAuthorized: return state.isAuthorized
            case .authorize: return state.accepts
            case .verify(_, let code): return code == state.code
            }
        }
    }
}

struct NoSettings: ModuleSettings {
    init(from reader: inout SettingsReader) {}
}

struct ScriptedLink: BankLink {
    static let name = "bank"
    static let summary = "For tests."
    let events: Set<BankEvent.Kind> = []
    private let bank: ScriptedBank

    init(settings: NoSettings, context: ModuleContext) { bank = .named(context.pipeline) }

    func send(_ events: [BankEvent], to sink: any DeliverySink) {}
    func ask(_ question: SubscriptionQuestion) async throws -> Bool { try bank.answer(question) }
}

struct SilentApp: InboundAdapter {
    static let name = "app"
    static let summary = "For tests."
    init(settings: NoSettings, context: ModuleContext) {}
}

struct SilentChannel: OutboundChannel {
    static let name = "push"
    static let summary = "For tests."
    let reach = Reach.devices([.ios])
    init(settings: NoSettings, context: ModuleContext) {}
    func send(_ deliveries: [Delivery], to sink: any DeliverySink) {}
}

/// A pipeline with a bank, over a ledger in a file of its own.
final class Office: Sendable {
    let bank: ScriptedBank
    let phones: ScriptedPhones
    private let name = "p\(UUID().uuidString.lowercased())"
    private let place: LedgerPlace
    private let running: Mutex<(ledger: any Ledger, runner: PipelineRunner)>

    init(_ kind: LedgerKind = .sqlite) throws {
        bank = .named(name)
        phones = .of(name)
        place = try LedgerPlace(kind, runsBySystemClocks: true)
        running = Mutex(try Self.open(name, place))
    }

    deinit { running.withLock { $0.ledger.close() } }

    func submit(_ message: Message) async -> Reply {
        await running.withLock { $0.runner.pipeline }.submit(message)
    }

    /// Whether the ledger's files hold a text.
    func holds(_ text: String) throws -> Bool {
        try ["", "-wal"].contains { suffix in
            try Data(contentsOf: place.directory.appending(path: "busd.db" + suffix)).range(of: Data(text.utf8)) != nil
        }
    }

    func restart() throws {
        try running.withLock {
            $0.ledger.close()
            $0 = try Self.open(name, place)
        }
    }

    private static func open(_ name: String, _ place: LedgerPlace) throws -> (any Ledger, PipelineRunner) {
        var registry = Registry()
        registry.register(SilentApp.self)
        registry.register(MapIDs.self)
        registry.register(SilentChannel.self)
        registry.register(ScriptedLink.self)
        registry.register(PhoneChannel.self)
        let text = """
            pipeline: \(name)
            inbound: [{ app: {} }]
            stages: [{ map_ids: { case_insensitive: true } }]
            outbound: [{ push: {} }, { bank: {} }, { phones: {} }]
            """
        let file = try PipelineFile.read(YAML.parse(text, file: "p.yaml"))
        let plan = PipelinePlan(file, registry: registry, context: SettingsContext())
        try #require(!plan.diagnostics.hasErrors, "\(plan.diagnostics)")
        let ledger = try place.open()
        let log = Log(minimum: .error) { _, _, _ in }
        return (ledger, try PipelineRunner(plan, ledger: ledger, log: log))
    }

    /// Whether this user has this device.
    func has(_ user: RecipientID, on device: String = "d1") async -> Bool {
        await submit(.query(.device(app: "retail", deviceID: device, user: Recipient(user)))) == .exists(true)
    }

    func register(
        _ user: RecipientID,
        on device: String = "d1",
        token: String = "aa",
        client: String? = "42",
        _ credential: Credential = .none
    ) async -> Reply {
        var registration = Registration(
            app: "retail",
            user: Recipient(user),
            bankClientID: client,
            deviceID: device,
            platform: .ios,
            token: token,
            credential: credential
        )
        registration.authorization = .bank
        return await submit(.registration(registration))
    }

    func verify(_ user: RecipientID, on device: String = "d1", _ code: String) async -> Reply {
        await submit(.verification(Verification(app: nil, user: Recipient(user), deviceID: device, code: code)))
    }
}

extension Reply {
    /// The secret that comes with a new subscription.
    var secret: String? {
        if case .subscribed(_, let secret) = self { return secret }
        return nil
    }

    var isSubscribed: Bool { if case .subscribed = self { true } else { false } }
    var isTooManyTries: Bool { if case .tooManyTries = self { true } else { false } }
}
