// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Threads

/// Tells operators when the store begins to refuse what is new, and when it takes it again: a thread that looks once a
/// second, so that thousands of callers who are turned away are two lines.
final class StoreReports: Sendable {
    private let ledger: any ObservedLedger
    private let log: Log
    private let stop = Mailbox<Void>(capacity: 1)

    /// In milliseconds.
    private static let interval: Int64 = 1_000

    init(_ ledger: any ObservedLedger, log: Log) {
        self.ledger = ledger
        self.log = log
    }

    func start() { _ = NamedThread("busd-store") { self.run() } }

    func end() { stop.close() }

    private func run() {
        var isRefusing = false
        while stop.take(until: .now().adding(milliseconds: Self.interval)) != nil {
            let problem = ledger.condition.problem
            guard (problem != nil) != isRefusing else { continue }
            isRefusing = problem != nil
            if let problem {
                log.error("the store cannot take anything on: callers get 503", ["reason": problem])
            } else {
                log.info("the store takes everything on again")
            }
        }
    }
}
