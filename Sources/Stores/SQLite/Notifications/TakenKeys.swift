// SPDX-License-Identifier: Apache-2.0

import Engine
import Synchronization

/// The keys that may be used once and were, shared by those who take them and the writer, who frees what it lost.
final class TakenKeys: Sendable {
    private let index: Mutex<OnceIndex>

    init(_ index: consuming OnceIndex) { self.index = Mutex(index) }

    func take(_ key: HashedKey, until: DueTime, now: DueTime) -> OnceIndex.Verdict {
        index.withLock { $0.take(key, until: until, now: now) }
    }

    func release(_ key: HashedKey) { index.withLock { $0.release(key) } }
}
