// SPDX-License-Identifier: Apache-2.0

/// How long to wait before trying again: exponential growth with full jitter, so that what failed together does not
/// come back together.
public struct Backoff: Sendable, Equatable {
    /// The longest first wait, in milliseconds.
    public let initial: Int64
    /// The longest wait of all, in milliseconds.
    public let max: Int64

    /// Describes waits.
    public init(initial: Int64, max: Int64) {
        self.initial = initial
        self.max = Swift.max(initial, max)
    }

    /// The longest wait after `failures` failures in a row (from 1), in milliseconds.
    public func ceiling(after failures: Int) -> Int64 {
        let doublings = min(Swift.max(failures, 1) - 1, 40)
        let grown = initial.multipliedReportingOverflow(by: Int64(1) << doublings)
        return grown.overflow ? max : min(grown.partialValue, max)
    }

    /// A wait drawn evenly from 1 millisecond to the ceiling.
    public func wait(after failures: Int, using generator: inout some RandomNumberGenerator) -> Int64 {
        Int64.random(in: 1...Swift.max(1, ceiling(after: failures)), using: &generator)
    }
}
