// SPDX-License-Identifier: Apache-2.0

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

/// What a pool connects to and the bounds it keeps; spans are in nanoseconds.
public struct HTTP2PoolConfiguration: Sendable {
    /// Host name or numeric address.
    public var host: String
    /// TCP port.
    public var port: UInt16
    /// TLS; `nil` speaks HTTP/2 in clear with prior knowledge, for stand-ins on this machine.
    public var tls: HTTP2ClientTLS?
    /// Names, in lower case, of the response headers that results carry.
    public var wantedHeaders: [String] = []
    /// Further ones that only answers other than 2xx carry: those that come with every answer cost something each time.
    public var wantedHeadersOfErrors: [String] = []
    /// The pool grows from one connection to this many.
    public var maxConnections = 32
    /// Whether a new connection carries one request at a time until one got a 2xx (APNs allows no more).
    public var startsCarefully = true
    /// Requests waiting or in flight; what is submitted beyond is refused as overloaded.
    public var queueBound = 32_768
    /// How long an answer may take, from the sending.
    public var requestTimeout: UInt64 = 20 * second
    /// How long TCP, TLS and the first SETTINGS may take, for each address.
    public var connectTimeout: UInt64 = 10 * second
    /// How long requests wait for a pool without any connection before they are returned unsent.
    public var connectPatience: UInt64 = 5 * second
    /// How long a connection may answer nothing before requests go elsewhere: the shortest such time, and the longest
    /// where answers usually take their time.
    public var doubtAfter: ClosedRange<UInt64> = (800 * millisecond)...(5 * second)
    /// How long a connection may answer nothing before it is given up, where another one has served meanwhile.
    public var giveUpAfter: UInt64 = 5 * second
    /// Silence after which a PING is sent while nothing is asked.
    public var pingInterval: UInt64 = 60 * second
    /// How long that PING's answer may take before the connection counts as dead.
    public var pingTimeout: UInt64 = 15 * second
    /// How long a request may wait without a byte on its connection before a PING is sent.
    public var waitingPingAfter: UInt64 = 5 * second
    /// How long that PING's answer may take before the connection counts as dead.
    public var waitingPingTimeout: UInt64 = 5 * second
    /// Idle time after which connections beyond the first are closed.
    public var idleTimeout: UInt64 = 120 * second
    /// Time blocked on the peer's window or stream limit after which another connection is opened.
    public var growAfter: UInt64 = second / 10
    /// Shortest and longest mean pause between attempts to connect.
    public var backoff: ClosedRange<UInt64> = second...(60 * second)
    /// Shortest and longest mean pause between connections that are opened because others are in doubt.
    public var replacement: ClosedRange<UInt64> = second...(20 * second)
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
        sane.waitingPingAfter = max(millisecond, min(waitingPingAfter, sane.pingInterval))
        sane.waitingPingTimeout = min(waitingPingTimeout, sane.pingTimeout)
        sane.doubtAfter = doubtAfter.clamped(to: millisecond...longest)
        sane.giveUpAfter = min(giveUpAfter, longest)
        sane.idleTimeout = min(idleTimeout, longest)
        sane.growAfter = min(growAfter, longest)
        sane.backoff = backoff.clamped(to: millisecond...(3_600 * second))
        sane.replacement = replacement.clamped(to: millisecond...(3_600 * second))
        return sane
    }

    var endpoint: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    var authority: String {
        let isDefault = port == (tls == nil ? 80 : 443)
        return isDefault ? String(endpoint.dropLast("\(port)".count + 1)) : endpoint
    }
}

let second: UInt64 = 1_000_000_000
let millisecond: UInt64 = 1_000_000
/// A year: what is longer is for ever, and must not overflow the clock.
let longest: UInt64 = 31_536_000 * second
