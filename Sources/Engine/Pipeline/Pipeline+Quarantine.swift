// SPDX-License-Identifier: Apache-2.0

extension Pipeline {
    /// Reads what waits in quarantine, by channel and reason.
    public func quarantined() async -> Result<[QuarantineSummary], LedgerError> {
        await completed { ledger.quarantined(number, completion: $0) }
    }

    /// Keeps the addresses that a channel's verdicts are about; returns how many.
    public func releaseQuarantine(of channel: String) async -> Result<Int, LedgerError> {
        await completed { ledger.releaseQuarantine(of: channel, in: number, completion: $0) }
    }

    /// Ends the subscriptions that a channel's verdicts are about; returns how many.
    public func confirmQuarantine(of channel: String) async -> Result<Int, LedgerError> {
        await completed { ledger.confirmQuarantine(of: channel, in: number, completion: $0) }
    }
}
