// SPDX-License-Identifier: Apache-2.0

public import Engine
import Synchronization

/// What ledgers in memory share, as nodes share a database: the committed tables, and who is there.
///
/// A transaction works on a copy and takes the committed one's place, or is dropped. Nothing else outlives a crash.
public final class MemoryStore: Sendable {
    private struct State {
        var tables = Tables()
        var listeners: [Lease: NodeListener] = [:]
        /// The clock of those who are there; a store that is opened again starts another.
        var schedule: ScheduleClock?
        var commits = 0
        var failures = 0
        var fault: CommitFault?

        mutating func detach(_ lease: Lease) -> Bool {
            guard listeners.removeValue(forKey: lease) != nil else { return false }
            if listeners.isEmpty { schedule = nil }
            return true
        }
    }

    private let state = Mutex(State())
    private let clocks: ScheduleClock.Readings

    /// Makes an empty store.
    public init(clocks: ScheduleClock.Readings = .system) { self.clocks = clocks }

    /// How many transactions were tried since the last plan.
    public var commits: Int { state.withLock { $0.commits } }

    /// Has commits fail from now on, or none.
    public func fail(_ fault: CommitFault?) {
        state.withLock {
            $0.fault = fault
            $0.commits = 0
        }
    }

    /// Ends all nodes at once, with their leases, as the end of the only machine would.
    public func crash() {
        state.withLock { state in
            for (lease, _) in state.listeners { state.tables.nodes.end(lease) }
            state.listeners = [:]
            state.schedule = nil
        }
    }

    /// How many deliveries a number is remembered with.
    public var phonesKept: Int { committed.deliveries.values.count { $0.state.sms.phone != nil } }

    /// What was committed.
    var committed: Tables { state.withLock { $0.tables } }
}

/// Which commits fail, and how.
public struct CommitFault: Sendable {
    /// The number of the first, from 1.
    public let first: Int
    /// Whether what it did is kept, though its callers hear otherwise.
    public let isKept: Bool
    /// Whether all that follow fail too, and nothing of them is kept.
    public let isLasting: Bool

    /// Plans a failure.
    public init(first: Int, isKept: Bool = false, isLasting: Bool = false) {
        self.first = first
        self.isKept = isKept
        self.isLasting = isLasting
    }
}

// MARK: Nodes

extension MemoryStore {
    /// What a node is given when it joins.
    struct Membership {
        let lease: Lease
        let schedule: ScheduleClock
        let identity: LedgerIdentity
    }

    func join(_ node: Int64, _ listener: NodeListener) -> Membership {
        state.withLock { state in
            let schedule = state.schedule ?? ScheduleClock(notBefore: state.tables.mark, readings: clocks)
            state.schedule = schedule
            let lease = state.tables.nodes.join(node)
            state.listeners[lease] = listener
            return Membership(lease: lease, schedule: schedule, identity: state.tables.identity)
        }
    }

    /// The node is gone, and its lease with it.
    func leave(_ lease: Lease) {
        state.withLock { state in
            guard state.detach(lease) else { return }
            state.tables.nodes.end(lease)
        }
    }

    /// The node is gone, and nobody knows: its lease ends by the clock.
    func kill(_ lease: Lease) {
        renew(lease, false)
        state.withLock { _ = $0.detach(lease) }
    }

    /// Whether a node goes on renewing its lease; one that has ended stays so.
    func renew(_ lease: Lease, _ isAwake: Bool) {
        state.withLock { state in
            guard let now = state.schedule?.read().due, state.tables.nodes.holds(lease, at: now) else { return }
            state.tables.nodes.renew(lease, until: isAwake ? nil : now.adding(milliseconds: LeaseRule.lasts))
        }
    }

    func holds(_ lease: Lease) -> Bool {
        state.withLock { state in
            guard state.listeners[lease] != nil, let now = state.schedule?.read().due else { return false }
            return state.tables.nodes.holds(lease, at: now)
        }
    }

    var failures: Int { state.withLock { $0.failures } }

    /// What was committed, for a node that is there; `nil` where it is gone.
    func read(_ lease: Lease) -> Tables? { state.withLock { $0.listeners[lease] == nil ? nil : $0.tables } }

    // MARK: Transactions

    /// Runs one transaction and commits it; whoever watches has it in his inbox then.
    func transact<Value>(_ lease: Lease, _ body: (inout Transaction) -> Value) -> Result<Value, LedgerError> {
        state.withLock { state in
            guard let listener = state.listeners[lease], let now = state.schedule?.read() else {
                return .failure(.closed)
            }
            var transaction = Transaction(state.tables, lease: lease, now: now)
            let value = body(&transaction)
            state.commits += 1
            let fault = state.fault.flatMap { $0.hits(state.commits) ? $0 : nil }
            guard fault == nil || fault?.keeps(state.commits) == true else {
                state.failures += 1
                return .failure(.failed("the commit failed, as it was told to"))
            }
            transaction.tables.mark = now.due
            state.tables = transaction.tables
            for (other, reached) in state.listeners where fault == nil || other != lease {
                reached.hear(transaction.events, isOwn: reached === listener)
            }
            return fault == nil ? .success(value) : .failure(.failed("the commit's answer was lost"))
        }
    }
}

extension CommitFault {
    fileprivate func hits(_ commit: Int) -> Bool { isLasting ? commit >= first : commit == first }
    fileprivate func keeps(_ commit: Int) -> Bool { isKept && commit == first }
}
