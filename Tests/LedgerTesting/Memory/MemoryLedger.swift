// SPDX-License-Identifier: Apache-2.0

public import Engine
import Synchronization
import Threads

/// A ledger in memory: one node of a ``MemoryStore``.
///
/// Tables and the engine's rules, with no rule of its own. One thread does all there is to do, in its order; what waits
/// when it looks shares a commit.
public final class MemoryLedger: Ledger {
    /// What makes the message ids of its store unlike any other's.
    public let identity: LedgerIdentity
    /// The clock that stored waits are measured by, the same for all nodes.
    public let schedule: ScheduleClock
    /// What this node was given when it joined.
    public let lease: Lease

    let store: MemoryStore
    private let listener: NodeListener
    private let jobs: Mailbox<NodeJob>
    private let thread: Mutex<NamedThread?>
    /// How far each pipeline's sweep of expired deliveries got.
    let sweeps = Mutex<[PipelineNumber: SweepPlace]>([:])

    /// Joins a store; a node that was there under this number is another one from now on.
    public init(_ store: MemoryStore, node: Int64 = 1) {
        let jobs = Mailbox<NodeJob>(capacity: .max)
        listener = NodeListener(jobs)
        let membership = store.join(node, listener)
        self.store = store
        self.jobs = jobs
        lease = membership.lease
        schedule = membership.schedule
        identity = membership.identity
        let loop = NodeLoop(store: store, lease: membership.lease, listener: listener, jobs: jobs)
        thread = Mutex(NamedThread("memory-ledger") { loop.run() })
    }

    deinit { close() }

    /// Finishes all writes that were taken, gives the lease back and ends the thread.
    ///
    /// Blocks.
    public func close() {
        guard let running = thread.withLock({ $0.take() }) else { return }
        jobs.close()
        running.join()
        store.leave(lease)
    }

    /// Ends the node as a power cut would: nothing that waits is done, and its lease ends only by the clock.
    public func kill() {
        store.kill(lease)
        close()
    }

    /// Has the node renew its lease no more, as a machine that is suspended, or go on where it has not ended.
    public func sleep(_ isAsleep: Bool = true) { store.renew(lease, !isAsleep) }

    /// Whether the node is there and its lease has not ended.
    public var holdsLease: Bool { store.holds(lease) }

    /// How the store is: in memory there is always room.
    public var condition: StoreCondition { StoreCondition(errors: store.failures) }

    /// Has a sink hear what happens in a pipeline, on whatever node.
    public func watch(_ pipeline: PipelineNumber, _ sink: (any LedgerEventSink)?) { listener.watch(pipeline, sink) }

    // MARK: Handing over work

    /// Writes; what `body` throws fails this call alone.
    func write<Value: Sendable>(
        _ completion: @escaping Completion<Value>,
        _ body: @escaping @Sendable (inout Transaction) throws(LedgerError) -> Value
    ) {
        let write = NodeJob.Write(
            perform: { transaction in
                let result = Result { () throws(LedgerError) in try body(&transaction) }
                return { completion(result) }
            },
            fail: { completion(.failure($0)) }
        )
        if !jobs.post(.write(write)) { completion(.failure(.closed)) }
    }

    func read<Value: Sendable>(
        _ completion: @escaping Completion<Value>,
        _ body: @escaping @Sendable (Tables) -> Value
    ) {
        let job = NodeJob.read { tables in completion(tables.map { .success(body($0)) } ?? .failure(.closed)) }
        if !jobs.post(job) { completion(.failure(.closed)) }
    }

    /// Writes and blocks until it is committed.
    func written<Value: Sendable>(_ body: @escaping @Sendable (inout Transaction) -> Value) throws -> Value {
        let answer = Mailbox<Result<Value, LedgerError>>(capacity: 1)
        write({ answer.post($0) }) { (transaction: inout Transaction) throws(LedgerError) in body(&transaction) }
        guard let result = answer.take()?.first else { throw LedgerError.closed }
        return try result.get()
    }
}
