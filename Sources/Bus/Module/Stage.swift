// SPDX-License-Identifier: Apache-2.0

/// Looks at each message on its way in.
///
/// A stage is a value without state of its own: the same message gets the same result, in any order and on any
/// thread.
public protocol Stage: Module {
    /// Says what becomes of a message of any kind; what a stage does not care about it lets proceed unchanged.
    ///
    /// Runs on whatever thread brought the message, a plugin's on Swift's pool: it must not block.
    func process(_ message: Message) async -> StageResult
}

/// What a stage says to a message.
public enum StageResult: Sendable, Equatable {
    /// Go on with this, perhaps changed.
    case proceed(Message)
    /// Answer as if it had been done, and do nothing.
    ///
    /// A notification is kept and its recipients end SENDING_FAILED, with the reason in their timeline: for operators
    /// and banks, without content.
    case drop(reason: String)
    /// Tell the sender that it is wrong.
    case reject(Refusal)
    /// Tell the sender that it cannot be said now, and to try again after so many seconds; nothing is kept.
    case unavailable(retryAfter: Int)
}
