// SPDX-License-Identifier: Apache-2.0

internal import Bus

/// Pauses between attempts to connect: a random part ("full jitter") of a span that doubles with each failure.
struct Backoff {
    /// In nanoseconds: the first span, and the last.
    let span: ClosedRange<UInt64>
    private(set) var failures = 0
    /// No attempt before this time.
    private(set) var notBefore = MonotonicTime.distantPast

    init(_ span: ClosedRange<UInt64>) { self.span = span }

    /// Makes the next pause a short one again.
    ///
    /// One that has begun is kept: while it lasts, answers come from other connections, so nothing waits for it.
    mutating func succeed() { failures = 0 }

    mutating func fail(at now: MonotonicTime) {
        let doubled = span.lowerBound << UInt64(min(failures, 16))
        failures += 1
        notBefore = now.adding(nanoseconds: .random(in: 0...min(doubled, span.upperBound)))
    }
}
