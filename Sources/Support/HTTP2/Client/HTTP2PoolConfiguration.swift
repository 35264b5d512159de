// SPDX-License-Identifier: Apache-2.0

public import Threads

/// How TLS is done towards a provider.
///
/// The chain and the host name are always verified.
public struct HTTP2ClientTLS: Sendable {
    /// PEM certificates trusted in addition to the system's roots.
    public var extraRoots: [UInt8]
    /// PEM certificate, then its chain, that proves who we are; empty for none.
    public var certificate: [UInt8]
    /// PEM key of ``certificate``.
    public var key: [UInt8]

    /// Describes TLS with the system's roots and nothing more, unless told.
    public init(extraRoots: [UInt8] = [], certificate: [UInt8] = [], key: [UInt8] = []) {
        self.extraRoots = extraRoots
        self.certificate = certificate
        self.key = key
    }
}

/// What a pool connects to and the bounds it keeps.
public struct HTTP2PoolConfiguration: Sendable {
    /// Host name or numeric address.
    public var host: String
    /// TCP port.
    public var port: UInt16
    /// TLS; `nil` speaks HTTP/2 in clear with prior knowledge, for stand-ins on this machine.
    public var tls: HTTP2ClientTLS?
    /// Names, in lower case, of the response headers that results carry.
    public var wantedHeaders: [String] = []
    /// The pool grows from one connection to this many.
    public var maxConnections = 32
    /// Whether a new connection carries one request at a time until one got a 2xx (APNs allows no more).
    public var startsCarefully = true
    /// Requests waiting or in flight; what is submitted beyond is refused as overloaded.
    public var queueBound = 32_768
    /// How long an answer may take, from the sending.
    public var requestTimeout: Nanoseconds = 20 * second
    /// How long TCP, TLS and the first SETTINGS may take, for each address.
    public var connectTimeout: Nanoseconds = 10 * second
    /// How long requests wait for a pool without any connection before they are returned unsent.
    public var connectPatience: Nanoseconds = 5 * second
    /// Silence after which a PING is sent.
    public var pingInterval: Nanoseconds = 60 * second
    /// How long the PING's answer may take before the connection counts as dead.
    public var pingTimeout: Nanoseconds = 15 * second
    /// Idle time after which connections beyond the first are closed.
    public var idleTimeout: Nanoseconds = 120 * second
    /// Time blocked on the peer's window or stream limit after which another connection is opened.
    public var growAfter: Nanoseconds = second / 10
    /// Shortest and longest mean pause between attempts to connect.
    public var backoff: ClosedRange<Nanoseconds> = second...(60 * second)
    /// The first stream's number; tests use up a connection with a high one.
    var firstStream: Int32 = 1

    /// Describes a pool; the rest has defaults.
    public init(host: String, port: UInt16, tls: HTTP2ClientTLS? = HTTP2ClientTLS()) {
        self.host = host
        self.port = port
        self.tls = tls
    }

    /// The same with values no clock or counter can choke on.
    var sane: HTTP2PoolConfiguration {
        var sane = self
        sane.maxConnections = max(1, min(maxConnections, 1_024))
        sane.requestTimeout = min(requestTimeout, longest)
        sane.connectTimeout = min(connectTimeout, longest)
        sane.connectPatience = min(connectPatience, longest)
        sane.pingInterval = max(millisecond, min(pingInterval, longest))
        sane.pingTimeout = min(pingTimeout, longest)
        sane.idleTimeout = min(idleTimeout, longest)
        sane.growAfter = min(growAfter, longest)
        sane.backoff = backoff.clamped(to: millisecond...(3_600 * second))
        return sane
    }

    var endpoint: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    var authority: String {
        let isDefault = port == (tls == nil ? 80 : 443)
        return isDefault ? String(endpoint.dropLast("\(port)".count + 1)) : endpoint
    }
}

let second: Nanoseconds = 1_000_000_000
let millisecond: Nanoseconds = 1_000_000
/// A year: what is longer is for ever, and must not overflow the clock.
let longest: Nanoseconds = 31_536_000 * second
