// SPDX-License-Identifier: Apache-2.0

public import Bus

/// Registrations that wait for a code.
public protocol VerificationLedger: AnyObject, Sendable {
    /// Keeps a registration until its code comes, in place of an earlier one of the same user, device and app.
    ///
    /// Completes with ``LedgerError/overloaded`` where as many wait as may.
    func keep(_ pending: NewPendingRegistration, completion: @escaping Completion<Void>)

    /// Finds the registration that a code is for, and counts a try.
    ///
    /// The try is counted before the code is looked at, so that neither haste nor a crash gives anybody more of them.
    func takeTry(_ wanted: PendingWish, completion: @escaping Completion<PendingTry>)

    /// Takes back a try whose code nobody could look at.
    func giveBackTry(_ pending: Int64, completion: @escaping Completion<Void>)

    /// Keeps a subscription that was waited for, as ``Ledger/subscribe(_:completion:)`` does, and ends the waiting.
    ///
    /// Completes with `nil`, and keeps nothing, where the registration waits no more.
    func subscribe(
        _ subscription: NewSubscription,
        confirming pending: Int64,
        completion: @escaping Completion<Int?>
    )
}

/// A registration that is to wait for a code.
public struct NewPendingRegistration: Sendable, Equatable {
    /// Which pipeline.
    public let pipeline: PipelineNumber
    /// What the app said.
    public let registration: Registration
    /// What is kept of a code that the bus made, from which the code cannot be read; `nil` where the bank made it.
    public let codeSeal: [UInt8]?
    /// Now.
    public let at: DueTime
    /// When the waiting ends.
    public let expires: DueTime

    /// Describes a registration that waits.
    public init(
        pipeline: PipelineNumber,
        registration: Registration,
        codeSeal: [UInt8]?,
        at: DueTime,
        expires: DueTime
    ) {
        self.pipeline = pipeline
        self.registration = registration
        self.codeSeal = codeSeal
        self.at = at
        self.expires = expires
    }
}

/// Which registration a code is for.
public struct PendingWish: Sendable, Equatable {
    /// Which pipeline.
    public let pipeline: PipelineNumber
    /// The app; `nil` for any, and then the newest registration counts.
    public let app: String?
    /// The device's id.
    public let deviceID: String
    /// The user, as stages mapped them.
    public let user: RecipientID
    /// The most tries.
    public let mostTries: Int
    /// Now.
    public let now: DueTime

    /// Describes a wish.
    public init(
        pipeline: PipelineNumber,
        app: String?,
        deviceID: String,
        user: RecipientID,
        mostTries: Int,
        now: DueTime
    ) {
        self.pipeline = pipeline
        self.app = app
        self.deviceID = deviceID
        self.user = user
        self.mostTries = mostTries
        self.now = now
    }
}

/// What there is for a code.
public enum PendingTry: Sendable, Equatable {
    /// The registration, with one try less.
    case pending(PendingRegistration)
    /// It had its tries; until then it says so.
    case usedUp(until: DueTime)
    /// Nothing waits, or not any more.
    case nothing
}

/// A registration that waits for a code.
public struct PendingRegistration: Sendable, Equatable {
    /// The ledger's number of it.
    public let sequence: Int64
    /// What the app said.
    public let registration: Registration
    /// What is kept of a code that the bus made, from which the code cannot be read; `nil` where the bank made it.
    public let codeSeal: [UInt8]?

    /// Describes a registration that waits.
    public init(sequence: Int64, registration: Registration, codeSeal: [UInt8]?) {
        self.sequence = sequence
        self.registration = registration
        self.codeSeal = codeSeal
    }
}
