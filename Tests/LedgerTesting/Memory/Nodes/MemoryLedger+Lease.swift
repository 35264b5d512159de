// SPDX-License-Identifier: Apache-2.0

public import Engine

extension MemoryLedger {
    /// Takes over open deliveries that nodes without a lease own, at most `limit`; completes with how many.
    public func reclaim(_ pipeline: PipelineNumber, limit: Int, completion: @escaping Completion<Int>) {
        write(completion) { $0.reclaim(pipeline, limit: limit) }
    }

    /// Takes a duty that one node does for all, or keeps it; completes with whether it is this node's.
    public func take(_ duty: Duty, completion: @escaping Completion<Bool>) {
        write(completion) { $0.tables.nodes.take(duty, $0.lease, at: $0.now.due) }
    }
}

extension Transaction {
    fileprivate mutating func reclaim(_ pipeline: PipelineNumber, limit: Int) -> Int {
        guard holdsLease else { return 0 }
        let left = tables.deliveries.values.filter {
            $0.state.isOpen && $0.pipeline == pipeline && !tables.nodes.holds($0.owner, at: now.due)
        }
        let page = left.sorted { $0.sequence < $1.sequence }.prefix(limit)
        for row in page {
            tables.deliveries[row.sequence]?.owner = lease
            if let change = LeaseRule.reclaim(row.state, asked: row.textChannel, at: now.wall) {
                apply(change, to: row.sequence)
            }
        }
        if !page.isEmpty { tell(.reclaimed, in: pipeline, onThisNodeOnly: true) }
        return page.count
    }
}
