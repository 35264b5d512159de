// SPDX-License-Identifier: Apache-2.0

import Bus

extension Pipeline {
    /// Stops a channel or a bank link by its name, or lets it go on: kept over restarts.
    ///
    /// Returns once it is on disk and obeyed: nothing is begun over a stopped one after that. `false`: there is none of
    /// this name.
    public func setPause(_ isPaused: Bool, of item: String) async -> Result<Bool, LedgerError> {
        let isChannel = metrics.channels.contains(item)
        guard isChannel || links.contains(where: { $0.label == item }) else { return .success(false) }
        let written = await completed { completion in
            ledger.setPause(isPaused, of: item, in: number, at: .now(), completion: completion)
        }
        if case .failure(let error) = written { return .failure(error) }
        // The ledger told the dispatcher: its answers come after that.
        if isChannel { _ = await dispatcher.inspect() } else { _ = await callbacks.inspect() }
        return .success(true)
    }
}
