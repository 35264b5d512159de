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

    /// What a far end may ask for: at most an hour, in milliseconds.
    static func clamped(_ asked: Int64) -> Int64 { min(Swift.max(0, asked), 3_600_000) }
}

/// Says when what failed is tried again.
struct RetryClock {
    private let backoff: Backoff
    private var generator = SystemRandomNumberGenerator()

    init(_ backoff: Backoff) { self.backoff = backoff }

    /// The wait after so many attempts, in milliseconds; `asked` is what the far end wants beside it.
    mutating func wait(after attempts: Int, asked: Int64? = nil) -> Int64 {
        backoff.wait(after: attempts, using: &generator) + (asked.map(Backoff.clamped) ?? 0)
    }
}
