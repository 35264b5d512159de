// SPDX-License-Identifier: Apache-2.0

internal import Threads

/// Pauses between attempts to connect: a random part ("full jitter") of a span that doubles with each failure.
struct Backoff {
    let span: ClosedRange<Nanoseconds>
    private(set) var failures = 0
    /// No attempt before this time.
    private(set) var notBefore: Nanoseconds = 0

    init(_ span: ClosedRange<Nanoseconds>) { self.span = span }

    /// Makes the next pause a short one again.
    ///
    /// One that has begun is kept: while it lasts, answers come from other connections, so nothing waits for it.
    mutating func succeed() { failures = 0 }

    mutating func fail(at now: Nanoseconds) {
        let doubled = span.lowerBound << Nanoseconds(min(failures, 16))
        failures += 1
        notBefore = now + .random(in: 0...min(doubled, span.upperBound))
    }
}
