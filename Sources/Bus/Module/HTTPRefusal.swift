// SPDX-License-Identifier: Apache-2.0

/// Why the server itself turns a request away, before or without a route's handler.
public enum HTTPRefusal: Sendable, Equatable {
    /// The path is served, with other methods: those in `allowed`, as the header `Allow` has them.
    case methodNotAllowed(allowed: String)
    /// The body is larger than the route takes, in bytes.
    case bodyTooLarge(limit: Int)
    /// The end of the body could be seen in two places.
    case ambiguousLength
    /// The bodies of other requests have taken all memory there is for them.
    case overloaded
    /// The server is on its way down.
    case stopping

    /// The HTTP status that says so.
    public var status: Int {
        switch self {
        case .methodNotAllowed: 405
        case .bodyTooLarge: 413
        case .ambiguousLength: 400
        case .overloaded, .stopping: 503
        }
    }

    /// What is wrong, in words for the caller.
    public var message: String {
        switch self {
        case .methodNotAllowed(let allowed): "this path takes \(allowed)"
        case .bodyTooLarge(let limit): "the body is larger than \(limit) bytes"
        case .ambiguousLength: "the length of the body is ambiguous"
        case .overloaded: "overloaded, try again later"
        case .stopping: "shutting down, try again later"
        }
    }

    /// Seconds after which a repetition makes sense, where one does.
    public var retryAfter: Int? {
        switch self {
        case .overloaded: 1
        case .stopping: 5
        default: nil
        }
    }

    /// The header fields that belong to the status, whatever the body says: `Allow`, `Retry-After`.
    public var headers: [(name: String, value: String)] {
        if case .methodNotAllowed(let allowed) = self { return [("Allow", allowed)] }
        return retryAfter.map { [("Retry-After", String($0))] } ?? []
    }
}
