// SPDX-License-Identifier: Apache-2.0

/// Whom a module with a door for callers tells of those that it turned away, and asks what was used before.
///
/// Each module has one of its own; what it knows of callers' addresses is the pipeline's.
public protocol Doorkeeper: Sendable {
    /// Takes note of a call that was refused because its caller did not prove who it is: a counter, a line in the log
    /// (at most one a second and caller), and a wait for those who guess.
    ///
    /// On any thread, without waiting.
    ///
    /// - Parameters:
    ///   - request: the call; of it, method and address are logged.
    ///   - place: the path as far as it names nobody, for the log.
    ///   - reason: what was wrong.
    /// - Returns: how long the answer is to be held back: nothing at first, more with every guess from one address.
    func refused(_ request: HTTPRequest, at place: String, because reason: CallRefusal) -> Duration

    /// Takes a key that may be used once, by any module of any pipeline and over restarts.
    ///
    /// A call is to be answered with success only after ``OneUse/first(kept:)`` was kept.
    ///
    /// - Parameters:
    ///   - key: what is used once; the same bytes are the same key whoever brings them.
    ///   - until: when it may be forgotten, for what it belongs to is too old by then.
    /// - Returns: whether it is new.
    func once(_ key: [UInt8], until: WallTime) async -> OneUse
}

/// Why a call was refused at the door.
public enum CallRefusal: String, Sendable, CaseIterable {
    /// It came without credentials.
    case missing = "no_credentials"
    /// It came with wrong ones.
    case wrong = "wrong_credentials"
    /// It came without a certificate, or with one that does not count.
    case certificate = "certificate"
    /// Its credentials were used before, and may be used once.
    case replayed = "replayed"

    /// Whether it may be somebody who guesses.
    public var isGuess: Bool { self == .wrong }
}

/// What there is to say of a key that may be used once.
public enum OneUse: Sendable {
    /// Nobody has used it before; `kept` waits until that is on disk, and says whether it is.
    case first(kept: @Sendable () async -> Bool)
    /// It was used before.
    case again
    /// So many are remembered that no more can be, or the store does not work; come again after so many seconds.
    case unavailable(retryAfter: Int)
}

extension Doorkeeper {
    /// A response to a refused call, held back where its caller guesses.
    public func refuse(
        _ request: HTTPRequest,
        at place: String,
        because reason: CallRefusal,
        with response: HTTPResponse
    ) -> HTTPResponse {
        var response = response
        response.delay = refused(request, at: place, because: reason)
        return response
    }
}

/// A doorkeeper that notes nothing, and to whom every key is new: for modules outside a bus.
public struct NoDoorkeeper: Doorkeeper {
    /// Creates one.
    public init() {}

    /// Notes nothing.
    public func refused(_ request: HTTPRequest, at place: String, because reason: CallRefusal) -> Duration { .zero }

    /// Takes every key for new.
    public func once(_ key: [UInt8], until: WallTime) async -> OneUse { .first { true } }
}
