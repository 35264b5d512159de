// SPDX-License-Identifier: Apache-2.0

/// One HTTP request, read to its end.
///
/// A value of its own: it stays valid however long a handler keeps it, also after the client has gone.
public struct HTTPRequest: Sendable {
    /// The method in capitals; a `HEAD` arrives as `GET`, and the server leaves the answer's body out.
    public var method: String
    /// The path as sent, still percent-encoded, without the query: `/api/v1/users/a%2Fb`.
    public var path: String
    /// What follows the `?`, still percent-encoded; empty where there is none.
    public var query: String
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body; empty in a hook that runs before it is read.
    public var body: [UInt8]
    /// Who called.
    public var peer: HTTPPeer

    /// Creates a request.
    public init(
        method: String,
        path: String,
        query: String = "",
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = [],
        peer: HTTPPeer = HTTPPeer()
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.peer = peer
    }

    /// The value of a query parameter, decoded; empty for `?name` and `?name=`, `nil` where it is not given.
    public func queryValue(_ name: String) -> String? {
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = parts.first, percentDecoded(key, plusIsSpace: true) == name else { continue }
            return parts.count == 1 ? "" : percentDecoded(parts[1], plusIsSpace: true)
        }
        return nil
    }

    /// The decoded parts of the path behind `prefix`: `["users", "a/b"]` for `/api/v1/users/a%2Fb` behind `/api/v1`.
    ///
    /// - Returns: `nil` where the path does not begin with the prefix, or a part is not percent-encoded UTF-8.
    public func segments(after prefix: String) -> [String]? {
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        var segments: [String] = []
        for part in path.utf8.dropFirst(prefix.utf8.count).split(separator: UInt8(ascii: "/")) {
            guard let segment = percentDecoded(part, plusIsSpace: false) else { return nil }
            segments.append(segment)
        }
        return segments
    }
}

/// What a handler answers with.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The media type of the body; no `Content-Type` is sent where it is empty.
    public var contentType: String
    /// Further header fields; `Content-Length`, `Date` and `Connection` are the server's.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]
    /// How long the server holds the response back, which costs it no thread: for callers who guess.
    public var delay: Duration = .zero

    /// Creates a response.
    public init(
        status: Int,
        contentType: String = "",
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }

    /// Creates a response that is a line of plain text.
    public init(status: Int, text: String) {
        self.init(status: status, contentType: "text/plain; charset=utf-8", body: Array((text + "\n").utf8))
    }
}

/// A place in the server's tree of paths, and what answers there.
public struct HTTPRoute: Sendable {
    /// How ``path`` is compared with a request's.
    public enum Match: Sendable {
        /// The whole path.
        case exact
        /// The path itself and everything below it, at a `/`.
        case below
    }

    /// The path, beginning with `/` and not ending with one.
    public var path: String
    /// How ``path`` is compared.
    public var match: Match
    /// The methods served, in capitals; `GET` includes `HEAD`.
    ///
    /// Any other gets 405 with `Allow`.
    public var methods: [String]
    /// The largest body in bytes; a larger one gets 413 and the handler never runs.
    public var maximumBody: Int
    /// Looks at a request before its body is read, on the server's own thread: it must not block.
    ///
    /// A response refuses the request and closes the connection.
    public var admit: (@Sendable (HTTPRequest) -> HTTPResponse?)?
    /// Puts a refusal of the server's own into the form that this route's callers read; without it they get a line of
    /// plain text.
    ///
    /// It gets the request without its body, runs on the server's own thread, and must not block.
    public var refuse: (@Sendable (HTTPRefusal, HTTPRequest) -> HTTPResponse)?
    /// Answers a request.
    ///
    /// It runs to its end even where the client has gone. Where the body is short it begins on the server's own thread,
    /// and every other caller waits until it awaits something or ends: it must not block; what blocks or takes more than
    /// milliseconds belongs on a thread of the module's own.
    public var handler: @Sendable (HTTPRequest) async -> HTTPResponse

    /// Creates a route.
    public init(
        _ match: Match,
        path: String,
        methods: [String],
        maximumBody: Int = 1 << 20,
        admit: (@Sendable (HTTPRequest) -> HTTPResponse?)? = nil,
        refuse: (@Sendable (HTTPRefusal, HTTPRequest) -> HTTPResponse)? = nil,
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        self.path = path
        self.match = match
        self.methods = methods
        self.maximumBody = maximumBody
        self.admit = admit
        self.refuse = refuse
        self.handler = handler
    }

    /// Whether a request's path is this route's.
    public func covers(_ path: String) -> Bool {
        switch match {
        case .exact: return path == self.path
        case .below:
            guard path.utf8.starts(with: self.path.utf8) else { return false }
            let rest = path.utf8.dropFirst(self.path.utf8.count)
            return rest.isEmpty || rest.first == UInt8(ascii: "/") || self.path.utf8.last == UInt8(ascii: "/")
        }
    }
}

extension HTTPRoute {
    /// Why a text from a pipeline file cannot be the path of an adapter, or `nil`; goes on after the option's name.
    public static func problem(path: String) -> String? {
        guard path.hasPrefix("/"), path.utf8.count > 1, !path.hasSuffix("/"), !path.contains("//") else {
            return "must begin with / and not end with it, without an empty part between"
        }
        guard !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else {
            return "must hold neither . nor .. as a part: clients resolve them before they ask"
        }
        let isPlain = path.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"?#%\"<>\\".utf8.contains($0) }
        return isPlain ? nil : "must hold neither blanks nor any of ? # % \" < > \\, and no letters beyond ASCII"
    }
}
