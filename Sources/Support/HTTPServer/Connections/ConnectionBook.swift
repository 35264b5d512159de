// SPDX-License-Identifier: Apache-2.0

import Bus

/// Who holds which connections, and who gives way where they become too many: a state machine without I/O.
struct ConnectionBook {
    /// What is to be done with a new connection.
    enum Admission {
        case taken(Connection, giveWay: Connection?)
        /// Its address has as many as one may.
        case tooManyOfAddress
        /// There are too many, and none that waits for its client.
        case full
    }

    /// An eighth of all, for addresses that hold few.
    private static let share = 8
    /// An address holds few below this part of all.
    private static let few = 64
    /// Connections that were told to close and are not closed yet.
    private static let mostClosing = 1_024

    private let limits: ConnectionLimits
    private var connections: [Int32: Connection] = [:]
    /// The connections of an address, each at the place that it knows.
    private var holders: [PeerAddress: [Connection]] = [:]
    /// How many were told to close and are not closed yet.
    private var closing = 0

    init(limits: ConnectionLimits) { self.limits = limits }

    /// How many are open.
    var count: Int { connections.count }

    subscript(descriptor: Int32) -> Connection? { connections[descriptor] }

    /// Takes a connection in, where there is room or somebody gives way.
    mutating func admit(_ descriptor: Int32, from address: PeerAddress, now: MonotonicTime) -> Admission {
        // One that the system gave away again was closed without a word.
        remove(descriptor)
        let held = holders[address]?.count ?? 0
        if !address.isLoopback, held >= limits.perAddress { return .tooManyOfAddress }
        let open = connections.count - closing
        let isFew = held < max(1, limits.all / Self.few)
        let room = isFew ? limits.all : limits.all - limits.all / Self.share
        var victim: Connection?
        if open >= room {
            guard closing < Self.mostClosing, let found = giveWay() else { return .full }
            victim = found
        }
        let connection = Connection(descriptor: descriptor, address: address, memory: limits.memory, now: now)
        connections[descriptor] = connection
        connection.place = held
        holders[address, default: []].append(connection)
        return .taken(connection, giveWay: victim)
    }

    /// Chooses, of the address with the most, the connection that has waited longest for its client: of those that
    /// never brought a request, as long as there is one.
    mutating func giveWay() -> Connection? {
        guard let most = holders.values.max(by: { $0.count < $1.count }) else { return nil }
        guard let victim = longestWaiting(in: most) ?? longestWaiting(in: connections.values) else { return nil }
        close(victim)
        return victim
    }

    private func longestWaiting(in candidates: some Sequence<Connection>) -> Connection? {
        var victim: (connection: Connection, isProven: Bool, since: MonotonicTime)?
        for connection in candidates where !connection.isClosing {
            let (phase, since) = connection.phase
            guard phase.isWaiting else { continue }
            let isProven = connection.isProven
            if let best = victim, best.isProven == isProven ? best.since <= since : isProven { continue }
            victim = (connection, isProven, since)
        }
        return victim?.connection
    }

    private mutating func close(_ connection: Connection) {
        connection.isClosing = true
        closing += 1
    }

    /// libmicrohttpd has closed it.
    mutating func remove(_ descriptor: Int32) {
        guard let connection = connections.removeValue(forKey: descriptor) else { return }
        if connection.isClosing { closing -= 1 }
        guard var held = holders.removeValue(forKey: connection.address), let last = held.popLast() else { return }
        if last !== connection {
            held[connection.place] = last
            last.place = connection.place
        }
        if !held.isEmpty { holders[connection.address] = held }
    }

    /// Those whose clients took too long, to be closed.
    mutating func overdue(now: MonotonicTime) -> [Connection] {
        let late = connections.values.filter { connection in
            let (phase, since) = connection.phase
            guard let seconds = limits.seconds(of: phase) else { return false }
            return !connection.isClosing && now.milliseconds(since: since) >= seconds * 1_000
        }
        for connection in late { close(connection) }
        return late
    }
}

/// The bounds of one listener's connections.
struct ConnectionLimits {
    /// Connections in all.
    var all: Int
    /// Connections of one address, where it is not this machine's own.
    var perAddress: Int
    /// Bytes for one connection's head.
    var memory: Int
    var idleSeconds: Int64
    var headSeconds: Int64
    var bodySeconds: Int64

    /// How long a client may let us wait; `nil` where it does not.
    func seconds(of phase: Connection.Phase) -> Int64? {
        switch phase {
        case .idle: idleSeconds
        case .head: headSeconds
        case .body: bodySeconds
        case .running: nil
        }
    }
}
