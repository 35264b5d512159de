// SPDX-License-Identifier: Apache-2.0

/// What the bus says to a message; the adapter puts it into its caller's words.
public enum Reply: Sendable, Equatable {
    /// A notification is on disk; one entry for each spelling the bank gave.
    case accepted([RecipientStatus])
    /// The notification's id was used before.
    case duplicate
    /// What the message speaks of is not there.
    case notFound
    /// The statuses asked for, one entry for each spelling the bank gave.
    case statuses([RecipientStatus])
    /// The notification asked for.
    case notification(Notification)
    /// The steps asked for, in the order in which they happened.
    case timeline([TimelineEvent])
    /// The details asked for.
    case details(PushDetails)
    /// Whether what was asked for is there.
    case exists(Bool)
    /// The message did its work and there is nothing to say.
    case done
    /// A device is registered. `secret` is told once, when the subscription is new.
    case subscribed(subscriber: String, secret: String?)
    /// A registration waits for a code.
    case verificationRequired
    /// The code is not the right one.
    case verificationFailed
    /// The caller has tried too often; they may try again after so many seconds.
    case tooManyTries(retryAfter: Int)
    /// The bank knows no such customer (BankClientNotExistsException).
    case unknownClient
    /// The bank will not have this registration.
    case authorizationFailed
    /// The bank was asked and gave no answer; nothing was kept.
    case bankUnreachable
    /// The bank was asked and said something that is no answer, which the text describes; nothing was kept.
    case bankNotUnderstood(String)
    /// The text message with a code could not be sent; nothing was registered.
    case gatewayUnreachable
    /// The caller is not who they would have to be.
    case unauthorized
    /// The message is at fault.
    case refused(Refusal)
    /// Full: nothing was kept, the caller may try again after so many seconds.
    case overloaded(retryAfter: Int)
    /// The bus could not keep it; the text says why and holds nothing secret.
    case failed(String)
    /// This release cannot do what the message asks.
    case unavailable(String)
}

/// Why a message was refused, in words for the one who sent it.
public struct Refusal: Sendable, Equatable, Error {
    /// One field at fault.
    public struct Field: Sendable, Equatable {
        /// The field's path, for example `pushContent.text`.
        public var path: String
        /// What is wrong with it.
        public var message: String

        /// Names a fault.
        public init(path: String, message: String) {
            self.path = path
            self.message = message
        }
    }

    /// What is wrong, in one sentence.
    public var message: String
    /// The fields at fault, where fields are.
    public var fields: [Field]

    /// Refuses for a reason.
    public init(_ message: String, fields: [Field] = []) {
        self.message = message
        self.fields = fields
    }

    /// Refuses for one field.
    public init(field path: String, _ message: String) {
        self.init("\(path) \(message)", fields: [Field(path: path, message: message)])
    }
}
