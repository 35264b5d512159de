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
    /// Connections that are looked at until one is found whose client sent nothing.
    private static let mostLooks = 32

    private let limits: ConnectionLimits
    private var connections: [Int32: Connection] = [:]
    /// The connections of an address that were not told to close, each at the place that it knows.
    private var holders: [PeerAddress: [Connection]] = [:]
    /// How many were told to close and are not closed yet.
    private var closing = 0

    init(limits: ConnectionLimits) { self.limits = limits }

    /// How many are open.
    var count: Int { connections.count }

    subscript(descriptor: Int32) -> Connection? { connections[descriptor] }

    /// Takes a connection in, where there is room or somebody gives way.
    ///
    /// `hasInput` says whether a client has sent something that was not read yet: it does not keep us waiting.
    mutating func admit(
        _ descriptor: Int32,
        from address: PeerAddress,
        now: MonotonicTime,
        hasInput: (Connection) -> Bool = { _ in false }
    ) -> Admission {
        // One that the system gave away again was closed without a word.
        remove(descriptor)
        let held = holders[address]?.count ?? 0
        if !address.isLoopback, held >= limits.perAddress { return .tooManyOfAddress }
        let open = connections.count - closing
        let isFew = held < max(1, limits.all / Self.few)
        let room = isFew ? limits.all : limits.all - limits.all / Self.share
        var victim: Connection?
        if open >= room {
            guard closing < Self.mostClosing, let found = giveWay(now: now, hasInput) else { return .full }
            victim = found
        }
        let connection = Connection(descriptor: descriptor, address: address, memory: limits.memory, now: now)
        connections[descriptor] = connection
        attach(connection)
        return .taken(connection, giveWay: victim)
    }

    /// Chooses the connection that has waited longest for its client: of those that never brought a request, as long
    /// as there is one, and of the address with the most.
    mutating func giveWay(now: MonotonicTime, _ hasInput: (Connection) -> Bool) -> Connection? {
        for _ in 0..<Self.mostLooks {
            guard let victim = longestWaiting() else { return nil }
            if !hasInput(victim) {
                close(victim)
                return victim
            }
            victim.renew(now: now)
        }
        return nil
    }

    private func longestWaiting() -> Connection? {
        let most = holders.values.max { $0.count < $1.count } ?? []
        return longestWaiting(in: most, isProven: false) ?? longestWaiting(in: connections.values, isProven: false)
            ?? longestWaiting(in: most, isProven: true) ?? longestWaiting(in: connections.values, isProven: true)
    }

    private func longestWaiting(in candidates: some Sequence<Connection>, isProven: Bool) -> Connection? {
        var victim: (connection: Connection, since: MonotonicTime)?
        for connection in candidates where !connection.isClosing && connection.isProven == isProven {
            let (phase, since) = connection.phase
            guard phase.isWaiting, victim.map({ since < $0.since }) ?? true else { continue }
            victim = (connection, since)
        }
        return victim?.connection
    }

    private mutating func attach(_ connection: Connection) {
        connection.place = holders[connection.address]?.count ?? 0
        holders[connection.address, default: []].append(connection)
    }

    private mutating func detach(_ connection: Connection) {
        guard var held = holders.removeValue(forKey: connection.address), let last = held.popLast() else { return }
        if last !== connection {
            held[connection.place] = last
            last.place = connection.place
        }
        if !held.isEmpty { holders[connection.address] = held }
    }

    private mutating func close(_ connection: Connection) {
        connection.isClosing = true
        closing += 1
        detach(connection)
    }

    /// libmicrohttpd has closed it.
    mutating func remove(_ descriptor: Int32) {
        guard let connection = connections.removeValue(forKey: descriptor) else { return }
        if connection.isClosing { closing -= 1 } else { detach(connection) }
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
