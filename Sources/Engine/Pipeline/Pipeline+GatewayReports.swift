// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Threads

extension Pipeline {
    /// Keeps what a gateway told of a text message some time after it got it.
    ///
    /// A report names it by a number and an id that nobody can guess who was not told it, so whoever calls learns
    /// nothing and changes nothing without both.
    func receive(_ report: GatewayReport) async -> Reply {
        guard let delivery = delivery(of: report.reference) else { return .notFound }
        let new = NewGatewayReport(
            pipeline: number,
            delivery: delivery,
            fate: report.fate,
            at: .now()
        )
        switch await completed({ ledger.receive(new, completion: $0) }) {
        case .failure(let error): return reply(error)
        case .success(let kept):
            metrics.reached(kept.reached)
            return kept.isKnown ? .done : .notFound
        }
    }

    /// The delivery of a reference as ``Delivery/reference`` has it; `nil` where it is none of ours.
    private func delivery(of reference: String) -> Int64? {
        let parts = reference.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), number > 0 else { return nil }
        let messageID = ledger.identity.messageID(number, LedgerIdentity.phone).description
        return ConstantTime.equal(String(parts[1]), messageID) ? number : nil
    }
}
