// SPDX-License-Identifier: Apache-2.0

import Bus
import Glibc
import LoadClient

/// Codes among bulk: a PIN code every 100 ms while a backlog drains, from the bank's request to the provider's receipt.
struct UrgencyRow {
    private static let interval: UInt64 = 100_000_000
    private static let recipients = 1_000

    let program: String
    let options: BenchOptions

    /// Measures against a provider that takes so many pushes a second, or as many as it can with 0: idle first, then
    /// while the backlog drains.
    func measure(pace: Int, _ add: (String, Measurement) -> Void) throws {
        let folder = "\(options.folder)/urgent"
        let push = try PushProcess(program, folder: folder, pace: pace)
        let bus = try BusUnderTest(options.program, folder: folder, push: push)
        try bus.register(options.users)
        let provider = pace == 0 ? "a provider as fast as it can" : "a provider that takes \(pace) a second"
        let idle = try Measurement(of: bus.process, count: options.codes) {
            try send(options.codes, from: 0, bus, push) { true }
        }
        add("codes, nothing else, \(provider)", idle)
        try bus.pauseChannel()
        let count = try fill(bus)
        let before = try push.count()
        try bus.resumeChannel()
        var drained = 0
        let busy = try Measurement(of: bus.process, count: count) {
            // Only those count that bulk still waits beside.
            let answers = try send(options.codes, from: options.codes, bus, push) { try bus.waiting() > 0 }
            drained = try push.count() - before - answers.latencies.count
            try bus.waitUntilSent(count + options.codes + answers.latencies.count, seconds: 300)
            return answers
        }
        let codes = busy.answers?.latencies.count ?? 0
        add("\(codes) codes while \(min(drained, count)) of \(count) bulk go, \(provider)", busy)
    }

    /// Has bulk wait; returns how much.
    private func fill(_ bus: BusUnderTest) throws -> Int {
        let requests = options.waiting / Self.recipients
        var bulk = SOAPRequests(recipients: Self.recipients, users: options.users)
        let result = try LoadClient(port: bus.port, connections: 8).run(
            count: requests,
            request: { bulk.append($0, to: &$1) }
        )
        guard result.statuses == [200: requests] else { throw BenchFailure("answers: \(result.statuses)") }
        return requests * Self.recipients
    }

    /// Sends codes while told to; the latencies are those to the provider.
    private func send(
        _ count: Int,
        from first: Int,
        _ bus: BusUnderTest,
        _ push: PushProcess,
        while isWanted: () throws -> Bool
    ) throws -> LoadClient.Result {
        var starts: [Int: MonotonicTime] = [:]
        var next = MonotonicTime.now()
        var failure: (any Error)?
        let until = { () -> Bool in
            guard !starts.isEmpty else { return false }
            do { return try !isWanted() } catch {
                failure = error
                return true
            }
        }
        var result = try LoadClient(port: bus.port, connections: 1).run(
            count: count,
            request: { number, request in
                usleep(UInt32(next.nanoseconds(since: .now()) / 1_000))
                next = next.adding(nanoseconds: Self.interval)
                starts[first + number] = .now()
                request += SOAPRequests.code(first + number, to: Users.name(number % options.users))
            },
            until: until
        )
        if let failure { throw failure }
        guard result.statuses.keys.allSatisfy({ $0 == 200 }) else { throw BenchFailure("\(result.statuses)") }
        result.latencies = try latencies(starts, push)
        return result
    }

    /// Waits until all codes are there.
    private func latencies(_ starts: [Int: MonotonicTime], _ push: PushProcess) throws -> [UInt64] {
        for _ in 0..<1_000 {
            let receipts = try push.codes()
            let found = starts.compactMap { number, start in
                receipts[number].map { MonotonicTime(nanoseconds: $0).nanoseconds(since: start) }
            }
            if found.count == starts.count { return found }
            usleep(20_000)
        }
        throw BenchFailure("not all codes came to the provider")
    }
}
