// SPDX-License-Identifier: Apache-2.0

public import Bus
import Threads

/// One pipeline at work: takes messages through its stages into the ledger, and from there to its channels.
public final class Pipeline: Intake {
    /// A stage, and when it looks at a message; an object, so that no message copies what a stage holds.
    final class ConditionalStage: Sendable {
        let label: String
        let stage: any Stage
        let condition: Condition?
        /// Whether it came with a plugin: the bus's own are known to think briefly.
        let isFromPlugin: Bool

        init(label: String, stage: any Stage, condition: Condition?, isFromPlugin: Bool) {
            self.label = label
            self.stage = stage
            self.condition = condition
            self.isFromPlugin = isFromPlugin
        }

        /// Has it look at a message, on Swift's pool where nobody knows how long it takes.
        func process(_ message: Message) async -> StageResult {
            guard isFromPlugin else { return await stage.process(message) }
            return await Pool.run { [stage] in await stage.process(message) }
        }
    }

    /// The pipeline's name.
    public let name: String
    /// The dispatcher of its deliveries.
    public let dispatcher: Dispatcher
    /// Tells its banks.
    public let callbacks: CallbackDispatcher
    let number: PipelineNumber
    let ledger: any Ledger
    let log: Log
    private let stages: [ConditionalStage]
    /// The links to banks, in the order of the pipeline's file: the first one is asked about registrations.
    let links: [NamedBankLink]
    /// The platforms that some channel reaches.
    let platforms: Set<Platform>
    /// The channels that take the place of a PIN code's pushes.
    let phones: [PhoneRoute]
    /// Tells of subscriptions that end.
    public let subscriptionEnds: SubscriptionEnds
    /// Sends codes to phones; `nil` where no channel reaches them.
    let codes: CodeSender?

    init(
        _ name: String,
        _ number: PipelineNumber,
        _ modules: PipelineModules,
        _ ledger: any Ledger,
        _ dispatcher: Dispatcher,
        _ callbacks: CallbackDispatcher,
        _ subscriptionEnds: SubscriptionEnds,
        _ log: Log
    ) {
        self.name = name
        self.number = number
        self.ledger = ledger
        self.dispatcher = dispatcher
        self.callbacks = callbacks
        self.subscriptionEnds = subscriptionEnds
        self.log = log
        stages = modules.stages
        links = modules.links
        platforms = modules.platforms
        phones = modules.setups.compactMap(\.phones)
        codes = modules.channels.first { $0.reach == .phones }.map { CodeSender(channel: $0) }
    }

    /// The pipeline's counters.
    public var metrics: DeliveryMetrics { dispatcher.metrics }

    /// Takes a message through the stages, then does what it asks.
    public func submit(_ message: Message) async -> Reply {
        var message = message
        for item in stages {
            if let condition = item.condition, !condition.matches(ConditionAttributes(message)) { continue }
            switch await item.process(message) {
            case .proceed(let changed): message = changed
            case .drop(let reason): return await drop(message, by: item.label, because: reason)
            case .reject(let refusal): return .refused(refusal)
            case .unavailable(let seconds): return .overloaded(retryAfter: seconds)
            }
        }
        switch message {
        case .notification(let notification): return await pass(notification)
        case .registration(let registration): return await register(registration)
        case .verification(let verification): return await verify(verification)
        case .tokenUpdate(let update): return await updateToken(update)
        case .unregistration(.user(let user)): return await unsubscribe(user)
        case .unregistration(.device(let app, let deviceID, let credential)):
            return await unsubscribe(deviceID, of: app, credential)
        case .query(let query): return await answer(query)
        case .receipt(let receipt): return await receive(receipt)
        case .event(let event): return await note(event)
        case .gatewayReport(let report): return await receive(report)
        }
    }

    func reply(_ error: LedgerError) -> Reply {
        switch error {
        case .overloaded: return .overloaded(retryAfter: 1)
        case .closed: return .overloaded(retryAfter: 5)
        // Once for all callers it is told by whoever watches the store.
        case .full: return .overloaded(retryAfter: 10)
        case .failed(let reason):
            log.error("the ledger failed", ["reason": reason])
            return .failed("the message could not be stored")
        }
    }
}
