// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts what became of calls to a pipeline's banks.
public final class CallbackMetrics: Sendable {
    /// What a call came to.
    public enum Result: Int, Sendable, CaseIterable {
        case told, retried, dead
    }

    /// The links' names, in order.
    public let links: [String]
    private let counts: Mutex<[[Int]]>

    init(links: [String]) {
        self.links = links
        counts = Mutex([[Int]](repeating: [0, 0, 0], count: links.count))
    }

    /// The calls since the start, by link and result.
    public func totals() -> [(link: String, result: Result, count: Int)] {
        let rows = counts.withLock { $0 }
        return zip(links, rows).flatMap { link, row in
            Result.allCases.map { (link: link, result: $0, count: row[$0.rawValue]) }
        }
    }

    func count(_ result: Result, link: Int) { counts.withLock { $0[link][result.rawValue] += 1 } }
}
