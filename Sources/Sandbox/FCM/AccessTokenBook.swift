// SPDX-License-Identifier: Apache-2.0

import Crypto
import Synchronization

/// The access tokens that the token endpoint has given, shared with the service that they open.
public final class AccessTokenBook: Sendable {
    private static let limit = 1_000

    private struct State {
        var tokens: [(text: String, end: Int64)] = []
        var issued = 0
        var lifetime: Int
        var clockAhead = 0
    }

    private let state: Mutex<State>

    init(lifetime: Int) { state = Mutex(State(lifetime: lifetime)) }

    /// How many tokens were given since the start.
    public var issued: Int { state.withLock { $0.issued } }

    /// How long a token lives, in seconds; counts for those given from now on.
    public var lifetime: Int {
        get { state.withLock { $0.lifetime } }
        set { state.withLock { $0.lifetime = newValue } }
    }

    /// How many seconds the token endpoint's clock is ahead of this machine's; less than 0 where it is behind.
    public var clockAhead: Int {
        get { state.withLock { $0.clockAhead } }
        set { state.withLock { $0.clockAhead = newValue } }
    }

    /// Ends all tokens now, as if their time had come sooner than was said.
    public func expireAll() { state.withLock { $0.tokens = [] } }

    /// Gives a token at a time in milliseconds since 1970.
    func issue(at now: Int64) -> (token: String, lifetime: Int) {
        let token = "ya29.sandbox-" + UUIDText.random()
        return state.withLock { state in
            state.tokens.removeAll { $0.end <= now }
            if state.tokens.count >= Self.limit { state.tokens.removeFirst() }
            state.tokens.append((token, now + Int64(state.lifetime) * 1000))
            state.issued += 1
            return (token, state.lifetime)
        }
    }

    func isValid(_ token: String, at now: Int64) -> Bool {
        state.withLock { state in state.tokens.contains { $0.text == token && now < $0.end } }
    }
}
