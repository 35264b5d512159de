// SPDX-License-Identifier: Apache-2.0

public import Bus
import CCurl

/// One request to somewhere else.
public struct HTTPClientRequest: Sendable {
    /// The method, in capitals.
    public var method: String
    /// Where to, `http://` or `https://`, without a user or a password.
    public var url: String
    /// Header fields; credentials go here.
    public var headers: [(name: String, value: String)]
    /// What is sent with it.
    public var body: [UInt8]
    /// How long connecting may take, name look-up and TLS included.
    public var connectLimit: Duration
    /// How long the whole may take, from the call to the last byte of the answer.
    public var timeLimit: Duration
    /// Bytes the answer's body may have.
    public var responseLimit: Int
    /// Whether it must never reach the far end twice.
    ///
    /// A kept connection may have died unseen; libcurl then sends the request once more. This one gets a connection
    /// of its own instead.
    public var isSentOnce: Bool
    /// Whether connecting, with TLS where the URL says so, is all: nothing is sent, and the answer is empty.
    public var onlyConnects = false

    /// Describes a request.
    public init(
        method: String = "GET",
        url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        connectLimit: Duration = .seconds(10),
        timeLimit: Duration = .seconds(30),
        responseLimit: Int = 1 << 20,
        isSentOnce: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.connectLimit = connectLimit
        self.timeLimit = timeLimit
        self.responseLimit = responseLimit
        self.isSentOnce = isSentOnce
    }
}

/// What the far end answered, whatever its status; redirects are not followed.
public struct HTTPClientResponse: Sendable {
    /// The status code.
    public let status: Int
    /// The header fields.
    public let headers: HTTPHeaders
    /// The body, whole.
    public let body: [UInt8]

    /// Describes an answer, for instance to test what is done about it.
    public init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// When the far end says it answered, by its own clock, `nil` where it does not say.
    public var date: WallTime? {
        guard let text = headers["Date"] else { return nil }
        let seconds = curl_getdate(text, nil)
        return seconds < 0 ? nil : WallTime(seconds: Int64(seconds))
    }
}
