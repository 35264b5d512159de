// SPDX-License-Identifier: Apache-2.0

import Bus

extension Pipeline {
    /// Reads what is quarantined, by channel and reason.
    public func quarantined() async -> Result<[QuarantineSummary], LedgerError> {
        await completed { ledger.quarantined(number, completion: $0) }
    }

    /// Keeps the subscriptions that a channel's verdicts are about, and brings back what they ended within a day;
    /// returns how many.
    public func releaseQuarantine(of channel: String) async -> Result<Int, LedgerError> {
        let result = await decide(.release, channel)
        subscriptionEnds.note(result.map { InvalidTokenResult(restored: $0.restored) }, channel: channel)
        return result.map { $0.decided + $0.restored }
    }

    /// Ends the subscriptions that a channel's verdicts are about; returns how many.
    public func confirmQuarantine(of channel: String) async -> Result<Int, LedgerError> {
        let result = await decide(.confirm, channel)
        if case .success(let decided) = result { subscriptionEnds.note(.confirmed, decided.decided) }
        return result.map(\.decided)
    }

    private func decide(_ step: InvalidTokenStep, _ channel: String) async -> Result<InvalidTokenResult, LedgerError> {
        await completed { ledger.apply(step, of: channel, in: number, InvalidTokenRecord(), completion: $0) }
    }

    /// What the guards of the channels knew when the bus stopped.
    func knownGuards() async -> [String: KnownGuard] {
        switch await completed({ ledger.guards(of: number, completion: $0) }) {
        case .success(let guards): return guards
        case .failure(let error):
            log.error("cannot read what is known of invalid tokens", ["reason": "\(error)"])
            return [:]
        }
    }
}
