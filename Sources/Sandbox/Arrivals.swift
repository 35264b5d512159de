// SPDX-License-Identifier: Apache-2.0

/// Those who wait until so many requests have arrived.
struct Arrivals {
    private var waiting: [(id: UInt64, count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    private var lastID: UInt64 = 0

    mutating func newID() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func add(_ id: UInt64, until count: Int, _ continuation: CheckedContinuation<Void, Never>) {
        waiting.append((id, count, continuation))
    }

    /// Takes out those who have waited long enough when `total` have arrived.
    mutating func take(at total: Int) -> [CheckedContinuation<Void, Never>] {
        guard !waiting.isEmpty else { return [] }
        let done = waiting.filter { $0.count <= total }
        waiting.removeAll { $0.count <= total }
        return done.map(\.continuation)
    }

    /// Takes out one who no longer waits.
    mutating func take(_ id: UInt64) -> CheckedContinuation<Void, Never>? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return waiting.remove(at: index).continuation
    }
}
