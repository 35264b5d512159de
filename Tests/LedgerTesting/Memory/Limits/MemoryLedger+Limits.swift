// SPDX-License-Identifier: Apache-2.0

public import Bus
public import Engine

extension MemoryLedger {
    // MARK: What operators stopped

    /// Keeps that an item of a pipeline is stopped, or forgets it.
    public func setPause(
        _ isPaused: Bool,
        of item: String,
        in pipeline: PipelineNumber,
        at now: WallTime,
        completion: @escaping Completion<Void>
    ) {
        write(completion) { transaction in
            let key = LimitTables.Item(pipeline: pipeline, name: item)
            transaction.tables.limits.pauses[key] = isPaused ? transaction.tables.limits.pauses[key] ?? now : nil
            transaction.tell(.paused(item: item, isPaused), in: pipeline)
        }
    }

    /// Reads the items of a pipeline that are stopped, and since when.
    public func pauses(in pipeline: PipelineNumber, completion: @escaping Completion<[String: WallTime]>) {
        read(completion) { tables in
            let own = tables.limits.pauses.filter { $0.key.pipeline == pipeline }
            return Dictionary(uniqueKeysWithValues: own.map { ($0.key.name, $0.value) })
        }
    }

    // MARK: Once, and so often

    /// Takes a key, unless it was taken before and not forgotten since; both answers come when it is committed.
    public func once(
        _ key: HashedKey,
        until: WallTime,
        verdict: @escaping Completion<Bool>,
        kept: @escaping Completion<Void>
    ) {
        let answer: Completion<Bool> = { result in
            verdict(result)
            if case .success(true) = result { kept(.success(())) }
        }
        write(answer) { $0.tables.limits.once(key, until: until, now: $0.now) }
    }

    /// Counts a use of a key, unless it was used as often as its allowance says.
    public func count(_ key: HashedKey, _ allowance: Allowance, completion: @escaping Completion<CountVerdict>) {
        write(completion) { $0.tables.limits.tallies.count(key, allowance, at: $0.now.due) }
    }

    /// Takes a use back that turned out to be a good one.
    public func uncount(_ key: HashedKey, completion: @escaping Completion<Void>) {
        write(completion) { $0.tables.limits.tallies.uncount(key) }
    }

    // MARK: Registrations that wait for a code

    /// Keeps a registration until its code comes, in place of an earlier one of the same user, device and app.
    public func keep(_ pending: NewPendingRegistration, completion: @escaping Completion<Void>) {
        write(completion) { transaction throws(LedgerError) in
            guard transaction.tables.limits.pending.keep(pending) else { throw .overloaded }
        }
    }

    /// Finds the registration that a code is for, and counts a try.
    public func takeTry(_ wanted: PendingWish, completion: @escaping Completion<PendingTry>) {
        write(completion) { $0.tables.limits.pending.takeTry(wanted) }
    }

    /// Takes back a try whose code nobody could look at.
    public func giveBackTry(_ pending: Int64, completion: @escaping Completion<Void>) {
        write(completion) { $0.tables.limits.pending.giveBackTry(pending) }
    }

    /// Keeps a subscription that was waited for, and ends the waiting; completes with `nil` where none waits.
    public func subscribe(
        _ subscription: NewSubscription,
        confirming pending: Int64,
        completion: @escaping Completion<Int?>
    ) {
        write(completion) { transaction in
            guard transaction.tables.limits.pending.end(pending) else { return nil }
            return transaction.tables.subscriptions.insert(subscription)
        }
    }
}
