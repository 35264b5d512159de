// SPDX-License-Identifier: Apache-2.0

import Engine

/// One caller's wish to have a notification accepted.
///
/// An object, because a ``WriteJob`` is looked at several times and copying what is in here costs a dozen retains.
final class AcceptJob: Sendable {
    let acceptance: Acceptance
    let content: [UInt8]
    /// The recipients of a large one, where it is known whether there is something to do for them.
    let packed: PackedAcceptance?
    let completion: Completion<AcceptanceResult>

    init(
        _ acceptance: Acceptance,
        content: [UInt8],
        _ completion: @escaping Completion<AcceptanceResult>
    ) {
        self.acceptance = acceptance
        self.content = content
        packed = acceptance.isLarge ? PackedAcceptance(acceptance) : nil
        self.completion = completion
    }
}
