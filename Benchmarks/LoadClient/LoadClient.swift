// SPDX-License-Identifier: Apache-2.0

import Bus
import CLinux
import Glibc

/// A load generator for HTTP/1.1: many keep-alive connections on one thread, one request at a time on each.
///
/// It costs as little as it can, because it shares the machine with what it measures.
public struct LoadClient: Sendable {
    /// What a run came to.
    public struct Result: Sendable {
        /// Answers by status code.
        public var statuses: [Int: Int] = [:]
        /// Connections that broke, each with the request that was on it.
        public var broken = 0
        /// Times from request to answer, in nanoseconds, in the order of the answers.
        public var latencies: [UInt64] = []
        /// The whole run, in nanoseconds.
        public var duration: UInt64 = 0

        /// The latency that a share of the answers stays under.
        public func percentile(_ share: Double) -> UInt64 {
            let sorted = latencies.sorted()
            guard !sorted.isEmpty else { return 0 }
            return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
        }
    }

    /// The system refused something.
    public struct SystemError: Error, CustomStringConvertible {
        /// What was tried, and the system's words.
        public let description: String

        init(_ what: String) { description = "\(what): \(String(cString: strerror(errno)))" }
    }

    private let address: sockaddr_in
    private let connections: Int

    /// Describes a client of a server on this machine.
    public init(port: UInt16, connections: Int) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        self.address = address
        self.connections = connections
    }

    /// Sends `count` requests and waits for their answers; blocks the calling thread.
    ///
    /// `request` appends the whole request of a number; `answered` gets the number, the status and the body. With
    /// `until`, the run ends early once it says so, for runs in which the server is killed.
    ///
    /// - Throws: ``SystemError`` where no connection can be made at all.
    public func run(
        count: Int,
        request: (Int, inout [UInt8]) -> Void,
        answered: (Int, Int, ArraySlice<UInt8>) -> Void = { _, _, _ in },
        until: () -> Bool = { false }
    ) throws -> Result {
        let poll = epoll_create(1)
        guard poll >= 0 else { throw SystemError("epoll") }
        defer { close(poll) }
        var result = Result()
        result.latencies.reserveCapacity(count)
        var open: [Connection] = []
        defer { for connection in open where connection.socket >= 0 { close(connection.socket) } }
        for index in 0..<min(connections, count) { open.append(try connect(index, poll)) }
        let start = MonotonicTime.now()
        var next = 0
        for index in open.indices {
            send(&open[index], next, request, &result)
            next += 1
        }
        var events = [busd_event](repeating: busd_event(), count: 64)
        var done = 0
        while done < next, !until() {
            let ready = busd_epoll_wait(poll, &events, 1_000)
            for event in events.prefix(Int(max(0, ready))) {
                let index = Int(event.token)
                guard open[index].socket >= 0 else { continue }
                guard receive(&open[index]) else {
                    close(open[index].socket)
                    open[index].socket = -1
                    result.broken += 1
                    done += 1
                    continue
                }
                while let answer = open[index].takeAnswer() {
                    result.latencies.append(MonotonicTime.now().nanoseconds(since: open[index].sentAt))
                    result.statuses[answer.status, default: 0] += 1
                    answered(open[index].request, answer.status, open[index].body(answer))
                    open[index].drop(answer)
                    done += 1
                    guard next < count else { break }
                    send(&open[index], next, request, &result)
                    next += 1
                }
            }
        }
        result.duration = MonotonicTime.now().nanoseconds(since: start)
        return result
    }

    private func connect(_ index: Int, _ poll: Int32) throws -> Connection {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw SystemError("socket") }
        var address = self.address
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            let error = SystemError("connect")
            close(socket)
            throw error
        }
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        _ = busd_epoll_control(poll, EPOLL_CTL_ADD, socket, EPOLLIN.rawValue, UInt64(index))
        return Connection(socket: socket)
    }

    private func send(
        _ connection: inout Connection,
        _ number: Int,
        _ request: (Int, inout [UInt8]) -> Void,
        _ result: inout Result
    ) {
        connection.request = number
        connection.output.removeAll(keepingCapacity: true)
        request(number, &connection.output)
        connection.sentAt = .now()
        var sent = 0
        while sent < connection.output.count {
            let socket = connection.socket
            let count = connection.output.withUnsafeBytes { bytes in
                bytes.baseAddress.map { Glibc.send(socket, $0 + sent, bytes.count - sent, Int32(MSG_NOSIGNAL)) } ?? 0
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                var writable = pollfd(fd: connection.socket, events: Int16(POLLOUT), revents: 0)
                _ = poll(&writable, 1, 1_000)
            } else {
                // The broken connection is seen when it is read from.
                return
            }
        }
    }

    private func receive(_ connection: inout Connection) -> Bool {
        while true {
            let count = connection.receive()
            if count > 0 { continue }
            return count < 0 && errno == EAGAIN
        }
    }
}
