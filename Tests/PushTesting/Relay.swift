// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import Threads

/// A TCP relay to a port of this machine that can lose packets without a word, as a firewall does that has forgotten
/// a connection: nothing is forwarded any more, and nobody is told.
public final class Relay: Sendable {
    private struct Pair {
        let client: Int32
        let server: Int32
        var isFrozen = false
    }

    private struct State {
        var pairs: [Pair] = []
        var losesNext = false
        var isStopped = false
    }

    /// Where it listens.
    public let port: UInt16
    private let target: UInt16
    private let listener: Int32
    /// The ends of a pipe that wakes the thread.
    private let bell: (read: Int32, write: Int32)
    private let state = Mutex(State())

    /// Starts to forward.
    public init(to target: UInt16) {
        self.target = target
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "the relay has no pipe")
        bell = (ends[0], ends[1])
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, raw, &length) == 0
            }
        }
        precondition(isListening, "the relay cannot listen")
        port = UInt16(bigEndian: address.sin_port)
        _ = NamedThread("relay") { self.run() }
    }

    /// Loses from now on what comes over the connections that are open; new ones are served.
    public func freeze() {
        state.withLock { state in
            for index in state.pairs.indices { state.pairs[index].isFrozen = true }
        }
        ring()
    }

    /// Loses all that comes over the next connection: it opens, and nothing follows.
    public func freezeNext() { state.withLock { $0.losesNext = true } }

    /// Connections opened so far and not closed.
    public var connections: Int { state.withLock { $0.pairs.count } }

    /// Closes everything.
    public func stop() {
        state.withLock { $0.isStopped = true }
        ring()
    }

    private func ring() { _ = write(bell.write, "!", 1) }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private func run() {
        while true {
            let (pairs, isStopped) = state.withLock { ($0.pairs, $0.isStopped) }
            if isStopped { return close(pairs) }
            let moving = pairs.filter { !$0.isFrozen }
            let watched = [listener, bell.read] + moving.flatMap { [$0.client, $0.server] }
            var polled = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            var rung: UInt8 = 0
            if polled[1].revents != 0 { _ = read(bell.read, &rung, 1) }
            // What came before a freeze was noticed is lost as well.
            let frozen = state.withLock { Set($0.pairs.filter(\.isFrozen).map(\.client)) }
            for (index, pair) in moving.enumerated() where !frozen.contains(pair.client) {
                let ends = [(pair.client, pair.server), (pair.server, pair.client)]
                for (offset, (from, to)) in ends.enumerated() where polled[2 + 2 * index + offset].revents != 0 {
                    guard !forward(from, to) else { continue }
                    end(pair)
                    break
                }
            }
            if polled[0].revents != 0 { accept() }
        }
    }

    private func accept() {
        let client = Glibc.accept(listener, nil, nil)
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(port: target)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        var pair = Pair(client: client, server: server)
        guard client >= 0, isConnected else { return close([pair]) }
        state.withLock { state in
            pair.isFrozen = state.losesNext
            state.losesNext = false
            state.pairs.append(pair)
        }
    }

    private func forward(_ from: Int32, _ to: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = read(from, &buffer, buffer.count)
        guard count > 0 else { return false }
        var sent = 0
        while sent < count {
            let written = buffer[sent..<count].withUnsafeBytes { bytes in
                send(to, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard written > 0 else { return false }
            sent += written
        }
        return true
    }

    private func end(_ pair: Pair) {
        state.withLock { state in state.pairs.removeAll { $0.client == pair.client } }
        Glibc.close(pair.client)
        Glibc.close(pair.server)
    }

    private func close(_ pairs: [Pair]) {
        for pair in pairs where pair.client >= 0 { end(pair) }
        if state.withLock({ $0.isStopped }) {
            Glibc.close(listener)
            Glibc.close(bell.read)
            Glibc.close(bell.write)
        }
    }
}
