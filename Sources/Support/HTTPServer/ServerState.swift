// SPDX-License-Identifier: Apache-2.0

/// Which requests are in progress and whether the server still takes new ones: a state machine without I/O.
struct ServerState {
    enum Life {
        case running
        /// No new requests; those in progress finish.
        case draining
        /// Nothing may be suspended any more.
        case stopping
    }

    private(set) var life = Life.running
    private(set) var table: RouteTable
    /// Requests from their complete body until their response was sent or their connection closed.
    private var running: [Exchange] = []
    /// Requests whose refusal is held back.
    private var held: [Exchange] = []
    private var idle: CheckedContinuation<Void, Never>?
    /// Whether the time to drain is over, perhaps before anybody began to wait for its end.
    private var isDrainOver = false

    init(table: RouteTable) { self.table = table }

    /// How many requests are running.
    var inProgress: Int { running.count }

    mutating func replace(_ table: RouteTable) { self.table = table }

    /// Takes a request in; `false` where the server is on its way down.
    mutating func begin(_ exchange: Exchange) -> Bool {
        guard life == .running else { return false }
        Self.add(exchange, to: &running)
        return true
    }

    /// Takes a request in whose answer is held back: nobody waits for it at the end; `false` where that is near.
    mutating func hold(_ exchange: Exchange) -> Bool {
        guard life == .running else { return false }
        Self.add(exchange, to: &held)
        return true
    }

    /// The response was sent, or the client is gone.
    ///
    /// Returns who waits for the last one.
    mutating func end(_ exchange: Exchange) -> CheckedContinuation<Void, Never>? {
        if Self.remove(exchange, from: &held) { return nil }
        Self.remove(exchange, from: &running)
        return running.isEmpty ? takeIdle() : nil
    }

    /// Whether the server stops and owes nobody an answer.
    var isAnswered: Bool { life == .stopping && running.isEmpty && held.isEmpty }

    mutating func drain() { if life == .running { life = .draining } }

    /// Keeps the one that waits for the last request; returns it at once where there is none.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) -> CheckedContinuation<Void, Never>? {
        if running.isEmpty || isDrainOver || life == .stopping { return continuation }
        idle = continuation
        return nil
    }

    /// The time to drain is over; returns who waits for its end.
    mutating func endDrain() -> CheckedContinuation<Void, Never>? {
        isDrainOver = true
        return takeIdle()
    }

    private static func add(_ exchange: Exchange, to list: inout [Exchange]) {
        exchange.place = list.count
        list.append(exchange)
    }

    /// Takes an exchange out of a list, the last one moving to its place; returns whether it was in it.
    @discardableResult
    private static func remove(_ exchange: Exchange, from list: inout [Exchange]) -> Bool {
        let place = exchange.place
        guard place < list.count, list[place] === exchange, let last = list.popLast() else { return false }
        if last !== exchange {
            list[place] = last
            last.place = place
        }
        return true
    }

    private mutating func takeIdle() -> CheckedContinuation<Void, Never>? {
        defer { idle = nil }
        return idle
    }

    /// The requests that must be answered before libmicrohttpd is stopped.
    mutating func stop() -> [Exchange] {
        life = .stopping
        return running + held
    }
}
