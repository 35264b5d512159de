// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTP2
import Synchronization

/// Gathers results and lets a test wait for them.
final class Collector: Sendable {
    private struct State {
        var results: [HTTP2Result] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func add(_ results: [HTTP2Result]) {
        let ready = state.withLock { state in
            state.results += results
            let ready = state.waiters.filter { $0.count <= state.results.count }
            state.waiters.removeAll { $0.count <= state.results.count }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    var all: [HTTP2Result] { state.withLock { $0.results } }

    /// Waits until at least `count` results have come; returns all there are.
    func results(_ count: Int) async -> [HTTP2Result] {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.results.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
        return all
    }
}

/// A server, a pool that trusts it, and the results of the pool.
struct Fixture {
    let server: HTTP2Server
    let loop: HTTP2Loop
    let pool: HTTP2Pool
    let collector: Collector

    init(
        isTLS: Bool = true,
        server adjustServer: (inout HTTP2ServerConfiguration) -> Void = { _ in },
        client adjustClient: (inout HTTP2PoolConfiguration) -> Void = { _ in },
        handler: @escaping @Sendable (HTTP2ServerRequest) -> HTTP2ServerAction
    ) throws {
        let certificates = Certificates.shared
        var configuration = HTTP2ServerConfiguration()
        if isTLS {
            configuration.tls = certificates.server
        }
        adjustServer(&configuration)
        server = try HTTP2Server(configuration, handler: handler)
        var client = HTTP2PoolConfiguration(host: isTLS ? "localhost" : "127.0.0.1", port: server.port, tls: nil)
        if isTLS { client.tls = HTTP2ClientTLS(extraRoots: certificates.authority) }
        client.maxConnections = 4
        client.backoff = 10_000_000...100_000_000
        adjustClient(&client)
        let collector = Collector()
        self.collector = collector
        loop = HTTP2Loop()
        pool = try HTTP2Pool(on: loop, client) { collector.add($0) }
    }

    func stop() {
        loop.stop()
        server.stop()
    }

    /// Submits requests numbered from `first`, in one batch.
    func submit(
        _ count: Int,
        first: Int = 0,
        path: String = "/3/device/",
        body: [UInt8] = Array("{}".utf8),
        urgent: Bool = false,
        mayRepeat: Bool = false,
        seconds: Double = 20
    ) {
        let deadline = MonotonicTime.now().adding(nanoseconds: UInt64(seconds * 1e9))
        pool.submit(
            (first..<(first + count)).map {
                HTTP2Request(
                    tag: UInt64($0),
                    path: "\(path)\($0)",
                    body: body,
                    isUrgent: urgent,
                    mayRepeat: mayRepeat,
                    deadline: deadline
                )
            }
        )
    }
}

extension HTTP2Outcome {
    var status: Int? { if case .response(let response) = self { response.status } else { nil } }
    var failure: HTTP2Failure? { if case .unsent(let failure) = self { failure } else { nil } }
    var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// Counts how often each path arrived, over all connections.
final class Arrivals: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    /// Notes an arrival; returns which one it was, from 1.
    @discardableResult
    func note(_ request: HTTP2ServerRequest) -> Int {
        let path = request.path
        return counts.withLock { counts in
            counts[path, default: 0] += 1
            return counts[path, default: 0]
        }
    }

    var all: [String: Int] { counts.withLock { $0 } }
}

/// Waits, without blocking, until `condition` holds; the suite's time limit ends a vain wait.
func until(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(2)) }
}

let ok = HTTP2ServerAction.respond(HTTP2ServerResponse(200))
