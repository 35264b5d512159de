// SPDX-License-Identifier: Apache-2.0

/// Asks again and again whether something has become true in a process that tells nobody when it does.
///
/// Returns `false` where it has not within half a minute.
func eventually(_ isTrue: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
        if try await isTrue() { return true }
        try await Task.sleep(for: .milliseconds(20))
    }
    return false
}
