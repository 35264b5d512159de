// SPDX-License-Identifier: Apache-2.0

public import Bus
import Crypto
import Threads

/// Takes subscriptions of another installation into a pipeline: as if each app had registered, but nobody is asked and
/// nothing starts.
///
/// A subscription that is there already (the same user, app and device) is renewed and keeps its name and secret, so a
/// file can be taken in again after it was cut off.
public struct SubscriptionImport: Sendable {
    /// What became of one.
    public enum Result: Sendable, Equatable {
        case added
        case renewed
        /// It cannot be: why, in words for whoever made the file.
        case refused(String)
    }

    private let modules: PipelineModules
    private let number: PipelineNumber
    private let ledger: any Ledger
    /// The app of subscriptions that name none; `nil` where the pipeline has several, or none.
    public let onlyApp: String?

    /// Makes a pipeline's modules; blocks.
    ///
    /// - Throws: what a module or the ledger says against it.
    public init(_ plan: PipelinePlan, ledger: any Ledger, log: Log) throws {
        number = try ledger.pipeline(named: plan.file.name)
        modules = try PipelineModules(plan, intake: IntakeRelay(), ledger: ledger, log: log)
        self.ledger = ledger
        let apps = modules.adapters.flatMap(\.apps)
        onlyApp = apps.count == 1 ? apps[0].id : nil
    }

    /// Keeps one; `registeredAt` is when its app registered there.
    ///
    /// - Throws: ``LedgerError``.
    public func keep(_ registration: Registration, registeredAt: WallTime?) async throws(LedgerError) -> Result {
        var message = Message.registration(registration)
        for item in modules.stages {
            if let condition = item.condition, !condition.matches(ConditionAttributes(message)) { continue }
            switch await item.process(message) {
            case .proceed(let changed): message = changed
            case .drop(let reason): return .refused(reason)
            case .reject(let refusal): return .refused(refusal.message)
            case .unavailable: return .refused("the stage '\(item.label)' cannot be asked now")
            }
        }
        guard case .registration(var registration) = message else {
            return .refused("a stage made something else of it")
        }
        guard modules.platforms.contains(registration.platform) else {
            return .refused("platform is served by no channel of this pipeline")
        }
        // Here all devices of a user come together, the newest not last.
        registration.endsOtherDevices = false
        return try await keep(mapped: registration, registeredAt)
    }

    private func keep(mapped registration: Registration, _ registeredAt: WallTime?) async throws(LedgerError) -> Result
    {
        let device = (registration.deviceID, registration.app)
        let existing = try await completed {
            ledger.subscriptions(ofDevice: device.0, app: device.1, in: number, completion: $0)
        }.get()
        if let own = existing.first(where: { $0.user == registration.user.id }) {
            let refresh = SubscriptionRefresh(
                subscription: own.sequence,
                token: registration.token,
                registration: registration,
                at: .now()
            )
            if try await completed({ ledger.refresh(refresh, completion: $0) }).get() != nil { return .renewed }
        }
        // Nobody is told this secret: the app gets one when it registers again.
        let new = NewSubscription(
            pipeline: number,
            registration: registration,
            subscriber: Hex.encode(SecureRandom.bytes(16)),
            secretHash: SHA256.hash(SecureRandom.bytes(32)).bytes,
            at: .now(),
            registeredAt: registeredAt
        )
        _ = try await completed { ledger.subscribe(new, completion: $0) }.get()
        return .added
    }
}
