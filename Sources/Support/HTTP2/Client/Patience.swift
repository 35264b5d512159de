// SPDX-License-Identifier: Apache-2.0

/// How long an answer may take before its absence means something, drawn from how long answers take here.
///
/// The estimate is that of TCP's retransmission timer (RFC 6298): the smoothed time and four times its deviation.
/// So a far end that is slow and well is not taken for one that is silent.
struct Patience {
    /// In nanoseconds: what is never thought too long, and what always is.
    let bounds: ClosedRange<UInt64>
    private var smoothed: UInt64?
    private var deviation: UInt64 = 0

    init(_ bounds: ClosedRange<UInt64>) { self.bounds = bounds }

    /// Notes how long an answer took, in nanoseconds.
    mutating func note(_ time: UInt64) {
        let time = min(time, bounds.upperBound)
        guard let smoothed else {
            smoothed = time
            deviation = time / 2
            return
        }
        let difference = time > smoothed ? time - smoothed : smoothed - time
        deviation = deviation - deviation / 4 + difference / 4
        self.smoothed = smoothed - smoothed / 8 + time / 8
    }

    /// How long to wait, in nanoseconds.
    var limit: UInt64 {
        guard let smoothed else { return bounds.lowerBound }
        return min(max(smoothed + 4 * deviation, bounds.lowerBound), bounds.upperBound)
    }
}
