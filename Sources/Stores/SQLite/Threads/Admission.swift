// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Bounds work that was taken and is not finished, by its weight.
final class Admission: Sendable {
    private let limit: Int
    private let current = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    /// Lets work in while the weight inside is below the limit: so one piece heavier than the limit passes alone.
    func enter(_ weight: Int) -> Bool {
        let before = current.add(weight, ordering: .relaxed).oldValue
        guard before < limit else {
            release(weight)
            return false
        }
        return true
    }

    func release(_ weight: Int) { current.subtract(weight, ordering: .relaxed) }
}
