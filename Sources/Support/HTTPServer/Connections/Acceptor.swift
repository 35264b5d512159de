// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD
import Glibc
import Synchronization

/// Takes a listener's clients in, on a thread of its own, and looks after the bounds of their connections meanwhile.
///
/// We accept ourselves because libmicrohttpd takes a client a turn of its loop: with a thousand clients busy, the last
/// of those who connected together would wait for a thousand turns. And the bounds of connections are ours.
///
/// `@unchecked`: `spare` and the times are touched by the acceptor's thread alone.
final class Acceptor: @unchecked Sendable {
    private static let turn: Int32 = 250
    /// Between two lines about the same trouble.
    private static let silence: Int64 = 10_000
    private static let unavailable =
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 1\r\nConnection: close\r\n\r\n"

    private let socket: ListeningSocket
    private let loop: ServerLoop
    private let table: ConnectionTable
    private let isTLS: Bool
    private let log: Log
    private let heartbeat = Atomic(MonotonicTime.now().nanoseconds)
    /// Given up for a moment where there is none left, so that a client can be told.
    private var spare: Int32
    private var complained: MonotonicTime?
    private var turnedAway = 0
    private var gaveWay = 0
    private var outOfDescriptors = 0

    init(socket: ListeningSocket, loop: ServerLoop, table: ConnectionTable, isTLS: Bool, log: Log) {
        self.socket = socket
        self.loop = loop
        self.table = table
        self.isTLS = isTLS
        self.log = log
        spare = Self.reserve()
    }

    deinit { if spare >= 0 { close(spare) } }

    private static func reserve() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }

    /// When the acceptor last came round.
    var lastTurn: MonotonicTime { MonotonicTime(nanoseconds: heartbeat.load(ordering: .relaxed)) }

    /// Accepts until the socket refuses.
    func run() {
        var swept = MonotonicTime.now()
        var lingers = false
        while true {
            var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&waiting, 1, lingers ? 10 : Self.turn)
            let now = MonotonicTime.now()
            heartbeat.store(now.nanoseconds, ordering: .relaxed)
            if now.milliseconds(since: swept) >= Int64(Self.turn) {
                swept = now
                table.closeOverdue()
                complain(now)
            }
            lingers = table.linger.turn(now: now)
            guard waiting.revents == 0 || takeAll() else { break }
        }
        table.linger.end()
    }

    /// Takes all clients that wait; `false` once the socket is shut down.
    private func takeAll() -> Bool {
        // Bounded, so that the rest of the turn has its turn under any load.
        for _ in 0..<256 {
            var address = sockaddr_storage()
            var size = socklen_t()
            let client = busd_accept(socket.descriptor, &address, &size)
            if client >= 0 {
                take(client, &address, size)
                continue
            }
            switch errno {
            case EINVAL, EBADF, ENOTSOCK: return false
            case EMFILE, ENFILE: if !turnAway() { return true }
            case ENOBUFS, ENOMEM:
                usleep(20_000)
                return true
            case EAGAIN: return true
            default: continue
            }
        }
        return true
    }

    private func take(_ client: Int32, _ address: inout sockaddr_storage, _ size: socklen_t) {
        switch table.admit(client, from: PeerAddress(address)) {
        case .taken: break
        case .takenForAnother: gaveWay += 1
        case .refused:
            close(client)
            turnedAway += 1
            return
        }
        guard !loop.serve(ServerLoop.Client(client, address, size)) else { return }
        close(client)
        table.forget(client)
    }

    // MARK: Trouble

    /// Takes a client with the last descriptor, tells it to come again, and lets a waiting connection go.
    private func turnAway() -> Bool {
        table.giveWay()
        outOfDescriptors += 1
        guard spare >= 0 else {
            usleep(20_000)
            spare = Self.reserve()
            return false
        }
        close(spare)
        var address = sockaddr_storage()
        var size = socklen_t()
        let client = busd_accept(socket.descriptor, &address, &size)
        if client >= 0 {
            // A client of TLS would not understand it.
            if !isTLS { _ = Self.unavailable.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) } }
            close(client)
        }
        spare = Self.reserve()
        return client >= 0
    }

    /// Says what went wrong since the last line, at most every ten seconds.
    private func complain(_ now: MonotonicTime) {
        guard turnedAway + gaveWay + outOfDescriptors > 0 else { return }
        if let complained, now.milliseconds(since: complained) < Self.silence { return }
        complained = now
        if outOfDescriptors > 0 {
            log.error(
                "out of file descriptors: clients are turned away; raise the limit (ulimit -n, LimitNOFILE)",
                ["listener": "\(socket.port)", "clients": "\(outOfDescriptors)"]
            )
        }
        if turnedAway + gaveWay > 0 {
            log.warning(
                "there are too many connections, or too many of one address: clients were turned away, or gave way",
                [
                    "listener": "\(socket.port)", "turnedAway": "\(turnedAway)", "gaveWay": "\(gaveWay)",
                    "open": "\(table.count)",
                ]
            )
        }
        (turnedAway, gaveWay, outOfDescriptors) = (0, 0, 0)
    }
}
