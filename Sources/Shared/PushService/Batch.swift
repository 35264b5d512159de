// SPDX-License-Identifier: Apache-2.0

public import Bus

/// Deliveries that were handed over together, and where to tell what became of them.
public final class Batch: Sendable {
    /// The deliveries, in the bus's order.
    public let deliveries: [Delivery]
    /// Where to tell.
    public let sink: any DeliverySink

    /// Keeps deliveries and their sink together.
    public init(_ deliveries: [Delivery], sink: any DeliverySink) {
        self.deliveries = deliveries
        self.sink = sink
    }

    /// Tells outcomes, those of one sink's batches that come in a row together.
    public static func report(_ outcomes: [(batch: Batch, index: Int, outcome: Outcome)]) {
        var reports: [DeliveryReport] = []
        var last: Batch?
        for (batch, index, outcome) in outcomes {
            if let last, last !== batch, !isSame(last.sink, batch.sink) {
                last.sink.report(reports)
                reports = []
            }
            last = batch
            reports.append(DeliveryReport(ticket: batch.deliveries[index].ticket, outcome: outcome))
        }
        if !reports.isEmpty { last?.sink.report(reports) }
    }

    private static func isSame(_ left: any DeliverySink, _ right: any DeliverySink) -> Bool {
        guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
        return (left as AnyObject) === (right as AnyObject)
    }
}
