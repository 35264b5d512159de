// SPDX-License-Identifier: Apache-2.0

/// Speaks to a bank: tells it what happened and asks it about its customers.
public protocol BankLink: Module {
    /// The events this bank wants to hear.
    var events: Set<BankEvent.Kind> { get }

    /// Whether the bank hears `expired` also of what was sent and not confirmed by a receipt within its timeout.
    var reportsUnconfirmed: Bool { get }

    /// Starts to tell the bank; returns at once. Each event is reported to `sink` exactly once, by its ticket.
    func send(_ events: [BankEvent], to sink: any DeliverySink)

    /// Asks the bank one of the three questions of a registration; `false` is its no: not authorized, ERROR, or
    /// VERIFICATION_FAILED.
    ///
    /// - Throws: ``BankLinkError``.
    func ask(_ question: SubscriptionQuestion) async throws -> Bool

    /// Connects to the bank without saying anything.
    ///
    /// - Returns: `nil` when all is well, else what is wrong, in words for an operator.
    func probe() async -> String?
}

extension BankLink {
    /// Keeps to what is known.
    public var reportsUnconfirmed: Bool { false }

    /// Has no way to tell, and so finds nothing wrong.
    public func probe() async -> String? { nil }
}

/// Something a bank hears about a notification of its own.
public struct BankEvent: Sendable, Equatable {
    /// What happened.
    public enum Kind: String, Sendable, CaseIterable {
        case expired, opened, delivered, failed
    }

    /// The bus's number of this call, which the report gives back.
    public let ticket: UInt64
    /// What happened.
    public let kind: Kind
    /// The bank's id of the notification.
    public let notification: NotificationID
    /// To whom, in the bank's own spelling.
    public let users: [RecipientID]
    /// When.
    public let at: WallTime

    /// Describes an event.
    public init(ticket: UInt64, kind: Kind, notification: NotificationID, users: [RecipientID], at: WallTime) {
        self.ticket = ticket
        self.kind = kind
        self.notification = notification
        self.users = users
        self.at = at
    }
}

/// A question about the subscription that an app asks for.
public enum SubscriptionQuestion: Sendable, Equatable {
    /// Has this customer agreed before?
    case isAuthorized(SubscriptionSubject)
    /// Will the bank send them a code?
    case authorize(SubscriptionSubject)
    /// Is this the code?
    case verify(SubscriptionSubject, code: String)
}

/// Who and what a question is about.
public struct SubscriptionSubject: Sendable, Equatable {
    /// The bank's number of the customer.
    public let bankClientID: String
    /// The user, in the bank's own spelling.
    public let user: RecipientID
    /// The device's id.
    public let deviceID: String
    /// What the device runs.
    public let platform: Platform

    /// Names a subject.
    public init(bankClientID: String, user: RecipientID, deviceID: String, platform: Platform) {
        self.bankClientID = bankClientID
        self.user = user
        self.deviceID = deviceID
        self.platform = platform
    }
}

/// Why a bank gave no answer to a question.
public enum BankLinkError: Error, Sendable, Equatable {
    /// The bank knows no such customer (BankClientNotExistsException).
    case unknownClient
    /// The bank could not be reached; the text is for operators, and may name addresses.
    case unreachable(String)
    /// The bank said something that is no answer.
    ///
    /// The text names status and kind of content only: whoever asked may read it.
    case notUnderstood(String)
}

extension BankEvent.Kind: SettingsValue {}
