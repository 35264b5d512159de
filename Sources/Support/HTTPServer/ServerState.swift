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
    /// Requests whose connection is suspended.
    private var suspended: [ObjectIdentifier: Exchange] = [:]
    /// Requests whose connection is about to be resumed.
    private var released: [Exchange] = []
    private var isResuming = false
    /// Requests from their complete body until their response was sent or their connection closed.
    private(set) var inProgress = 0
    private var idle: CheckedContinuation<Void, Never>?
    /// Whether the time to drain is over, perhaps before anybody began to wait for its end.
    private var isDrainOver = false

    init(table: RouteTable) { self.table = table }

    mutating func replace(_ table: RouteTable) { self.table = table }

    /// Takes a request in; `false` where the server is on its way down.
    mutating func begin(_ exchange: Exchange) -> Bool {
        guard life == .running else { return false }
        suspended[ObjectIdentifier(exchange)] = exchange
        inProgress += 1
        return true
    }

    /// The handler is done; returns whether the caller is to resume what was released, `false` where another does
    /// that already or ``stop()`` has answered in its place.
    mutating func release(_ exchange: Exchange) -> Bool {
        guard suspended.removeValue(forKey: ObjectIdentifier(exchange)) != nil else { return false }
        released.append(exchange)
        defer { isResuming = true }
        return !isResuming
    }

    /// What is to be resumed; after an empty answer the caller's part is over.
    mutating func takeReleased() -> [Exchange] {
        isResuming = !released.isEmpty
        defer { released = [] }
        return released
    }

    /// The response was sent, or the client is gone.
    ///
    /// Returns who waits for the last one.
    mutating func end() -> CheckedContinuation<Void, Never>? {
        inProgress -= 1
        return inProgress == 0 ? takeIdle() : nil
    }

    /// Whether the server stops and owes nobody an answer.
    var isAnswered: Bool { life == .stopping && inProgress == 0 }

    mutating func drain() { if life == .running { life = .draining } }

    /// Keeps the one that waits for the last request; returns it at once where there is none.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) -> CheckedContinuation<Void, Never>? {
        if inProgress == 0 || isDrainOver || life == .stopping { return continuation }
        idle = continuation
        return nil
    }

    /// The time to drain is over; returns who waits for its end.
    mutating func endDrain() -> CheckedContinuation<Void, Never>? {
        isDrainOver = true
        return takeIdle()
    }

    private mutating func takeIdle() -> CheckedContinuation<Void, Never>? {
        defer { idle = nil }
        return idle
    }

    /// The requests whose connections must be resumed before libmicrohttpd is stopped.
    mutating func stop() -> [Exchange] {
        life = .stopping
        defer {
            suspended = [:]
            released = []
        }
        return suspended.values + released
    }
}
