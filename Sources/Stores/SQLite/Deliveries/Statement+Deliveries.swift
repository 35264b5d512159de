// SPDX-License-Identifier: Apache-2.0

import SQLite

extension Statement {
    /// The deliveries that a row names by the first one and their count; none where the numbers are a damaged file's.
    func deliveries(first: Int32, count: Int32) -> Range<Int64> {
        let start = integer(first)
        let (end, isOver) = start.addingReportingOverflow(max(0, integer(count)))
        return start..<(isOver ? start : end)
    }
}
