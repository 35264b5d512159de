// SPDX-License-Identifier: Apache-2.0

/// Swift's own threads, one a core, for what may take long on a thread that others need, such as a listener's.
public enum Pool {
    /// Runs work on the pool and returns to the caller's executor with what it made.
    ///
    /// In a task of its own: with `withTaskExecutorPreference` a task that was made with another preference goes back
    /// to that at the first `await` (Swift 6.3). Cancelling the caller does not cancel the work.
    public static func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Task.detached { continuation.resume(returning: await work()) }
        }
    }
}
