// SPDX-License-Identifier: Apache-2.0

internal import Threads

/// Pauses between attempts to connect: none after success, then a random part of a span that doubles.
struct Backoff {
    let span: ClosedRange<Nanoseconds>
    private(set) var failures = 0
    /// No attempt before this time.
    private(set) var notBefore: Nanoseconds = 0

    init(_ span: ClosedRange<Nanoseconds>) { self.span = span }

    mutating func succeed() {
        failures = 0
        notBefore = 0
    }

    mutating func fail(at now: Nanoseconds) {
        let doubled = span.lowerBound << Nanoseconds(min(failures, 16))
        failures += 1
        notBefore = now + .random(in: 0...min(doubled, span.upperBound))
    }
}
