// SPDX-License-Identifier: Apache-2.0

import Bus

/// What nobody should do often, beyond the tries that each registration has.
enum Attempt: String {
    /// Codes asked for by a user, whatever their devices.
    case code
    /// Text messages with codes to a user, and to a phone: each costs money, and its holder's patience.
    case text
    /// Wrong codes of a user, whatever their devices.
    case guess

    /// Ten minutes, in milliseconds.
    private static let window: Int64 = 600_000

    var allowance: Allowance {
        switch self {
        case .code, .guess: Allowance(limit: 20, window: Self.window)
        case .text: Allowance(limit: 10, window: Self.window)
        }
    }
}

extension Pipeline {
    /// Counts an attempt by a name: a user, a phone.
    ///
    /// - Returns: `nil` where it may go on, else what to answer; then it was not counted.
    func take(_ attempt: Attempt, by name: String) async -> Reply? {
        switch await completed({ ledger.count(key(attempt, name), attempt.allowance, completion: $0) }) {
        case .success(.counted): nil
        case .success(.exceeded(let wait)): .tooManyTries(retryAfter: Int(clamping: wait / 1_000))
        case .failure(let error): reply(error)
        }
    }

    /// Takes attempts back that turned out to be good ones.
    func giveBack(_ attempt: Attempt, by names: String...) async { await giveBack(attempt, by: names) }

    /// Takes attempts back that turned out to be good ones.
    func giveBack(_ attempt: Attempt, by names: [String]) async {
        for name in names { _ = await completed { ledger.uncount(key(attempt, name), completion: $0) } }
    }

    private func key(_ attempt: Attempt, _ name: String) -> HashedKey {
        HashedKey(Array("\(number.rawValue) \(attempt.rawValue) \(name)".utf8))
    }
}
