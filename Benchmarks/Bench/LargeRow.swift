// SPDX-License-Identifier: Apache-2.0

import Bus
import Glibc
import LoadClient
import Synchronization
import Threads

/// One REST request for very many recipients beside single requests: what the others wait, and when the first push
/// of the large one arrives.
struct LargeRow {
    /// Banks that send one notification after the other, each on a connection and a thread of its own.
    private static let callers = 4
    /// Between two of one caller, in microseconds.
    private static let pause: UInt32 = 4_000
    /// How long they send before the large one, in microseconds, and in all, in seconds.
    private static let before: UInt32 = 500_000
    private static let lasting: UInt64 = 3

    let program: String
    let options: BenchOptions

    /// Measures, and returns remarks.
    func measure(_ add: (String, Measurement) -> Void) throws -> [String] {
        let folder = "\(options.folder)/large"
        let push = try PushProcess(program, folder: folder, pace: 0)
        let bus = try BusUnderTest(options.program, folder: folder, push: push)
        try bus.register(options.large)
        let large = LargeRequest(body: body, port: bus.port)
        let single = try Measurement(of: bus.process, count: options.large) {
            let answers = try send(large, beside: bus)
            try bus.waitUntilNothingIsQueued(seconds: 120)
            return answers
        }
        let count = single.answers?.statuses[200] ?? 0
        let refused = (single.answers?.latencies.count ?? 0) - count
        let pushes = try push.count()
        guard pushes >= options.large + count else { throw BenchFailure("only \(pushes) pushes arrived") }
        guard large.status == 202 else { throw BenchFailure("the large request: \(large.status)") }
        add("\(options.large) recipients in one request, beside single ones", single)
        let first = try push.codes()[0].map { MonotonicTime(nanoseconds: $0).nanoseconds(since: large.start) }
        func milliseconds(_ nanoseconds: UInt64?) -> Double { Double((nanoseconds ?? 0) / 10_000) / 100 }
        return [
            """
            One request for \(options.large) recipients: answered after \(milliseconds(large.latency)) ms, \
            first push after \(milliseconds(first)) ms; beside it \(count) single ones (\(refused) refused): \
            p50 \(milliseconds(single.answers?.percentile(0.5))) ms, \
            p99 \(milliseconds(single.answers?.percentile(0.99))) ms, \
            slowest \(milliseconds(single.answers?.percentile(1))) ms.
            """
        ]
    }

    /// Sends the large one once the others are at work.
    private func send(_ large: LargeRequest, beside bus: BusUnderTest) throws -> LoadClient.Result {
        let results = Mutex<LoadClient.Result?>(nil)
        let port = bus.port
        let threads = (0..<Self.callers).map { number in
            NamedThread("single-\(number)") { [options] in
                var singles = SOAPRequests(recipients: 1, users: options.large)
                let result = try? LoadClient(port: port, connections: 1).run(
                    count: 1_000_000,
                    request: { place, request in
                        usleep(Self.pause)
                        singles.append(place * Self.callers + number, to: &request)
                    },
                    until: { large.isAnswered && large.waited(seconds: Self.lasting) }
                )
                results.withLock { sum in
                    guard let result, var total = sum else { return sum = sum ?? result }
                    total.latencies += result.latencies
                    total.statuses.merge(result.statuses, uniquingKeysWith: +)
                    sum = total
                }
            }
        }
        usleep(Self.before)
        large.begin()
        for thread in threads { thread.join() }
        guard let result = results.withLock({ $0 }) else { throw BenchFailure("no single request was answered") }
        return result
    }

    private var body: [UInt8] {
        let users = (0..<options.large).map { "\"\(Users.name($0))\"" }.joined(separator: ",")
        let text = """
            {"id":"\(CodeReceipts.prefix)0","timeout":86400,"recipients":[\(users)],\
            "pushContent":{"badge":1,"text":"\(SOAPRequests.text)","type":"UNIVERSAL"}}
            """
        return HTTPText.post(BusUnderTest.restPath + "/notifications", "application/json", Array(text.utf8))
    }
}

/// The large request, on a thread and a connection of its own.
private final class LargeRequest: Sendable {
    private struct State {
        var start = MonotonicTime.distantPast
        var end: MonotonicTime?
        var status = 0
    }

    private let body: [UInt8]
    private let port: UInt16
    private let state = Mutex(State())

    init(body: [UInt8], port: UInt16) {
        self.body = body
        self.port = port
    }

    var start: MonotonicTime { state.withLock(\.start) }
    var status: Int { state.withLock(\.status) }
    var isAnswered: Bool { state.withLock { $0.end != nil } }
    var latency: UInt64 { state.withLock { state in state.end?.nanoseconds(since: state.start) ?? 0 } }

    func begin() {
        state.withLock { $0.start = .now() }
        _ = NamedThread("large") { [self] in
            let result = try? LoadClient(port: port, connections: 1).run(count: 1, request: { $1 += body })
            state.withLock { state in
                state.end = .now()
                state.status = result?.statuses.first?.key ?? -1
            }
        }
    }

    /// Whether so much time has passed since it began.
    func waited(seconds: UInt64) -> Bool { MonotonicTime.now().nanoseconds(since: start) >= seconds * 1_000_000_000 }
}
