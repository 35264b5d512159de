// SPDX-License-Identifier: Apache-2.0

import Bus
import Synchronization
import Threads

/// Runs a pipeline's modules and notices at once when one of them ends before its time.
final class ModuleWatch: Sendable {
    /// A module under the name it has in its pipeline.
    struct Item: Sendable {
        let label: String
        let module: any Module
    }

    private struct State {
        var isDraining = false
        var failed: [String] = []
    }

    private let items: [Item]
    private let log: Log
    private let state = Mutex(State())
    private let finished = Gate()

    init(_ items: [Item], log: Log) {
        self.items = items
        self.log = log
    }

    /// The modules that failed, in the order in which they did.
    var failed: [String] { state.withLock { $0.failed } }

    /// From now on a module may end.
    func beginDrain() { state.withLock { $0.isDraining = true } }

    /// Ends those that have nothing to do but wait.
    func endDrain() { finished.open() }

    /// Runs all modules until they are drained; one that fails stops no other.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for item in items { group.addTask { await self.run(item) } }
            await finished.wait()
            group.cancelAll()
        }
    }

    private func run(_ item: Item) async {
        var reason = "it ended, and nobody asked it to"
        do { try await item.module.run() } catch { reason = "\(error)" }
        let isEarly = state.withLock { state in
            if !state.isDraining { state.failed.append(item.label) }
            return !state.isDraining
        }
        guard isEarly else { return }
        log.error("a module failed: its pipeline is not ready any more", ["module": item.label, "reason": reason])
    }
}
