// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

extension BusProcess {
    /// The most memory the process has had resident so far, in bytes.
    func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let number = try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return number * 1024
    }
}
