// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What must not be shown, with a name for each.
struct Canaries: Sendable {
    private(set) var all: [(name: String, text: String)] = []

    mutating func add(_ name: String, _ text: String) { all.append((name, text)) }
}

/// Everything that somebody got to see who is not to see secrets.
final class Shown: Sendable {
    private let state = Mutex([(what: String, text: String)]())

    func add(_ what: String, _ text: String) { state.withLock { $0.append((what, text)) } }

    func contains(_ words: String) -> Bool { state.withLock { $0.contains { $0.text.contains(words) } } }

    /// Where a canary is to be seen, with what stands around it.
    func leaks(of canaries: Canaries) -> [String] {
        state.withLock { shown in
            canaries.all.flatMap { canary in
                shown.filter { $0.text.contains(canary.text) }.map { place in
                    let lines = place.text.split(separator: "\n").filter { $0.contains(canary.text) }
                    return "\(canary.name) is in \(place.what): \(lines.first ?? "")"
                }
            }
        }
    }
}
