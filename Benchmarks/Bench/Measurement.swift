// SPDX-License-Identifier: Apache-2.0

import Bus
import Glibc
import LoadClient

/// What a piece of work cost one process.
struct Measurement {
    /// Notifications or deliveries.
    let count: Int
    let seconds: Double
    let cpuSeconds: Double
    /// KiB.
    let peakResident: Int
    /// Answers to the bank, where there were any.
    var answers: LoadClient.Result?
    /// How long these took.
    var times: AnswerTimes?

    /// Does the work and looks at what it cost the process.
    init(of process: ChildProcess, count: Int, _ work: () throws -> LoadClient.Result?) throws {
        self.count = count
        let before = try ProcessFigures(of: process.identifier)
        let start = MonotonicTime.now()
        answers = try work()
        times = answers.map {
            AnswerTimes(median: $0.percentile(0.5), p99: $0.percentile(0.99), slowest: $0.percentile(1))
        }
        seconds = Double(MonotonicTime.now().nanoseconds(since: start)) / 1e9
        let after = try ProcessFigures(of: process.identifier)
        cpuSeconds = after.cpuSeconds - before.cpuSeconds
        peakResident = after.peakResident
    }

    /// Measures work whose amount is known when it is done.
    init(of process: ChildProcess, _ work: () throws -> (count: Int, times: AnswerTimes?)) throws {
        let before = try ProcessFigures(of: process.identifier)
        let start = MonotonicTime.now()
        (count, times) = try work()
        seconds = Double(MonotonicTime.now().nanoseconds(since: start)) / 1e9
        let after = try ProcessFigures(of: process.identifier)
        cpuSeconds = after.cpuSeconds - before.cpuSeconds
        peakResident = after.peakResident
    }

    var cpuPer100000: Double { cpuSeconds * 100_000 / Double(count) }
    var rate: Double { Double(count) / seconds }
}

/// How long answers took, in nanoseconds.
struct AnswerTimes {
    let median: UInt64
    let p99: UInt64
    let slowest: UInt64
}

/// The rate and cost that a row must reach.
struct Bar {
    let cpuPer100000: Double
    let rate: Int

    static let accept = Bar(cpuPer100000: 18, rate: 6_000)
    static let fanout = Bar(cpuPer100000: 5, rate: 20_000)
    static let receipt = Bar(cpuPer100000: 30, rate: 3_500)
}
