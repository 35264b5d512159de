// SPDX-License-Identifier: Apache-2.0

/// Cuts what comes in pieces into lines, none longer than a bound.
struct LineBuffer {
    private let longest: Int
    private var bytes: [UInt8] = []
    /// Whether the rest of a line that was too long is passed over.
    private var isSkipping = false

    init(longest: Int) { self.longest = longest }

    /// Takes a piece; returns the lines that it ends, and how many were too long.
    mutating func take(_ piece: some Collection<UInt8>) -> (lines: [[UInt8]], tooLong: Int) {
        var lines: [[UInt8]] = []
        var tooLong = 0
        for part in piece.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if part.offset > 0 {
                if isSkipping { isSkipping = false } else { lines.append(bytes) }
                bytes = []
            }
            guard !isSkipping else { continue }
            if bytes.count + part.element.count > longest {
                bytes = []
                isSkipping = true
                tooLong += 1
            } else {
                bytes += part.element
            }
        }
        return (lines, tooLong)
    }
}
