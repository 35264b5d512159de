// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What could not be told to a bank, or sent to a phone, and waits for an operator.
public protocol DeadLetterLedger: AnyObject, Sendable {
    /// Reads dead letters, newest first, those older than the number `before`.
    func deadLetters(before: Int64?, limit: Int, completion: @escaping Completion<[DeadLetter]>)

    /// Reads one dead letter with all its users; `nil` where there is none.
    func deadLetter(_ number: Int64, completion: @escaping Completion<DeadLetter?>)

    /// Puts a dead letter back at the end of its line, as if it had just happened; `false` where there is none.
    ///
    /// That of a text message opens its delivery again while the code lives; `false` where it does not.
    func replayDeadLetter(_ number: Int64, at: WallTime, completion: @escaping Completion<Bool>)

    /// Forgets a dead letter; `false` where there is none.
    func dropDeadLetter(_ number: Int64, completion: @escaping Completion<Bool>)
}

/// A call that a bank did not take, or a text message that a gateway did not.
public struct DeadLetter: Sendable, Equatable {
    /// The ledger's number of it.
    public let number: Int64
    /// The pipeline's name.
    public let pipeline: String
    /// The name of the link, or of the channel.
    public let link: String
    /// What the bank should have heard.
    public let kind: BankEvent.Kind
    /// The bank's id of the notification.
    public let notification: NotificationID
    /// To whom, in the bank's own spelling; in a list of dead letters the first few.
    public let users: [RecipientID]
    /// How many users it names.
    public let userCount: Int
    /// When it happened, in milliseconds since 1970.
    public let at: WallTime
    /// When the bus gave up, in milliseconds since 1970.
    public let died: WallTime
    /// The attempts made.
    public let attempts: Int
    /// What was wrong the last time.
    public let reason: String

    /// Describes a dead letter.
    public init(
        number: Int64,
        pipeline: String,
        link: String,
        kind: BankEvent.Kind,
        notification: NotificationID,
        users: [RecipientID],
        userCount: Int,
        at: WallTime,
        died: WallTime,
        attempts: Int,
        reason: String
    ) {
        self.number = number
        self.pipeline = pipeline
        self.link = link
        self.kind = kind
        self.notification = notification
        self.users = users
        self.userCount = userCount
        self.at = at
        self.died = died
        self.attempts = attempts
        self.reason = reason
    }
}
