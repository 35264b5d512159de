// SPDX-License-Identifier: Apache-2.0

import Bus
import PushService

/// The life of access tokens: when one is used, when the next is asked for, and what holds meanwhile.
///
/// Spans are in nanoseconds. A token's life is counted from its arrival, whatever our wall clock says.
struct TokenCycle {
    /// How long before its end a token is renewed, at most; a short-lived one in its last tenth.
    static let earliest: UInt64 = 300 * second
    /// How long a failure is taken for the answer: after the first, and at most.
    ///
    /// Whoever probes the channel waits longer, so each probe asks anew.
    static let pauses = (second / 2)...(10 * second)
    /// How long a token is kept although it is refused, as the one before was and with none that worked between: the
    /// first time, and at most.
    static let patience = second...(60 * second)
    private static let second: UInt64 = 1_000_000_000

    private struct Held {
        let credential: PushCredential
        let since: MonotonicTime
        let renewal: MonotonicTime
        let end: MonotonicTime
    }

    private var held: Held?
    private var isAsking = false
    /// Refused tokens in a row, with none between that worked.
    private var refusals = 0
    private var version = 0
    private var failures = 0
    private var failure: (reason: String, until: MonotonicTime)?

    /// What to show now, and whether a token is to be asked for, which the caller then does.
    mutating func ask(at now: MonotonicTime) -> (standing: PushCredential.Standing, isToAsk: Bool) {
        let isPaused = failure.map { now < $0.until } ?? false
        if let held, now < held.end {
            return (.ready(held.credential), now >= held.renewal && !isPaused && begin())
        }
        held = nil
        if isAsking { return (.awaited, false) }
        if let failure, isPaused { return (.failed(reason: failure.reason), false) }
        return (.awaited, begin())
    }

    private mutating func begin() -> Bool {
        defer { isAsking = true }
        return !isAsking
    }

    /// Takes a new token with its life in seconds.
    mutating func take(_ grant: AccessToken.Grant, at now: MonotonicTime) {
        isAsking = false
        failure = nil
        failures = 0
        version += 1
        let life = UInt64(grant.life) * Self.second
        held = Held(
            credential: PushCredential(authorization: "Bearer \(grant.token)", version: version),
            since: now,
            renewal: now.adding(nanoseconds: life - min(Self.earliest, life / 10)),
            end: now.adding(nanoseconds: life)
        )
    }

    /// Notes that there is none; one that still lives is used on.
    mutating func take(_ failure: AccessToken.Failure, at now: MonotonicTime) {
        isAsking = false
        let pause = min(Self.pauses.lowerBound << UInt64(min(failures, 16)), Self.pauses.upperBound)
        let wished = UInt64(max(0, failure.retryAfter ?? 0)) * 1_000_000
        failures += 1
        self.failure = (failure.reason, now.adding(nanoseconds: max(pause, wished)))
    }

    /// Notes that the provider accepted a request with a token.
    mutating func confirm(_ version: Int) {
        if held?.credential.version == version { refusals = 0 }
    }

    /// Drops a token that the provider refuses before its end; returns whether the request is worth a repeat.
    ///
    /// Where every new token is refused as well, another one would not help, and asking in a loop would harm.
    mutating func refuse(_ version: Int, at now: MonotonicTime) -> Bool {
        guard let held, held.credential.version == version else { return true }
        if refusals > 0 {
            let patience = Self.patience.lowerBound << UInt64(min(refusals - 1, 16))
            guard now >= held.since.adding(nanoseconds: min(patience, Self.patience.upperBound)) else { return false }
        }
        self.held = nil
        refusals += 1
        return true
    }
}
