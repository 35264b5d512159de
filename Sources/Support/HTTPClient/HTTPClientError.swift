// SPDX-License-Identifier: Apache-2.0

/// Why a request got no answer.
///
/// The description names scheme, host and port. What else a URL holds, the header fields and both bodies are in none
/// of its texts: they may be secret.
public struct HTTPClientError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure.
    public enum Code: Sendable, Equatable {
        /// The request itself cannot be sent: URL, method or header field.
        case invalidRequest
        /// The name cannot be resolved, nobody listens, or the connection took too long.
        case cannotConnect
        /// TLS failed: a certificate that does not verify, a refused client certificate.
        case notTrusted
        /// The time limit passed.
        case timedOut
        /// The answer's header or body has too many bytes.
        case tooLarge
        /// The connection broke, or what came is not HTTP.
        case broken
        /// The task was cancelled.
        case cancelled
        /// Too many requests wait already.
        case overloaded
        /// The client was stopped.
        case stopped
    }

    /// What kind of failure.
    public let code: Code
    /// Whether the far end may have got the request; where not, sending it again is safe.
    public let mayHaveArrived: Bool
    /// One sentence for people.
    public let description: String

    init(_ code: Code, _ description: String, mayHaveArrived: Bool = false) {
        self.code = code
        self.description = description
        self.mayHaveArrived = mayHaveArrived
    }

    static func invalid(_ description: String) -> Self { Self(.invalidRequest, description) }
    static let cancelled = Self(.cancelled, "the request was cancelled")
    static let stopped = Self(.stopped, "the HTTP client was stopped")
}
