// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Foundation
import FoundationNetworking
import HTTP2
import JSON
import Sandbox
import Synchronization

/// A sandbox in a folder of its own, and a client as a bus would be.
final class SandboxFixture: Sendable {
    let sandbox: Sandbox
    let pool: HTTP2Pool
    private let loop = HTTP2Loop()
    private let folder: URL
    private let results: SharedResults

    init(options: SandboxOptions = SandboxOptions()) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "busd-\(UUIDText.random())")
        sandbox = try Sandbox.start(directory: folder.path(), options: options)
        let roots = [UInt8](try Data(contentsOf: URL(filePath: sandbox.authorityFile)))
        var client = HTTP2PoolConfiguration(host: "127.0.0.1", port: sandbox.apns.port)
        client.tls = HTTP2ClientTLS(extraRoots: roots)
        client.maxConnections = 1
        client.wantedHeaders = ["apns-id", "retry-after"]
        client.backoff = 1_000_000...10_000_000
        client.requestTimeout = 2_000_000_000
        let results = SharedResults()
        self.results = results
        pool = try HTTP2Pool(on: loop, client) { results.add($0) }
    }

    func stop() async {
        loop.stop()
        await sandbox.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The `authorization` that the key in the folder gives.
    func bearer() throws -> String {
        let file = [UInt8](try Data(contentsOf: URL(filePath: sandbox.keyFile)))
        let key = try SigningKey(pem: file, kind: .p256)
        let claims: KeyValuePairs<String, JWT.Value> = [
            "iss": .string(sandbox.teamID), "iat": .integer(WallTime.now().seconds),
        ]
        return "bearer " + (try JWT.sign(header: ["kid": .string(sandbox.keyID)], claims: claims, key: key))
    }

    /// Sends pushes to the tokens, each numbered by its place, and returns what became of them in that order.
    func push(_ tokens: [String], bearer: String, type: String = "alert") async -> [HTTP2Outcome] {
        let deadline = MonotonicTime.now().adding(nanoseconds: 20_000_000_000)
        results.begin()
        pool.submit(
            tokens.enumerated().map { place, token in
                HTTP2Request(
                    tag: UInt64(place),
                    path: "/3/device/\(token)",
                    ownHeaders: [
                        HTTP2Header("authorization", bearer), HTTP2Header("apns-topic", "com.example.bank"),
                        HTTP2Header("apns-push-type", type),
                    ],
                    body: Array(#"{"aps":{"alert":"x"},"n":\#(place)}"#.utf8),
                    deadline: deadline
                )
            }
        )
        return await results.wait(tokens.count)
    }

    /// Calls the control interface; returns the status and the body.
    func control(_ method: String, _ path: String, _ body: String? = nil) async throws -> (status: Int, body: String) {
        guard let url = URL(string: sandbox.control + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }
}

/// The results of one batch.
final class SharedResults: Sendable {
    private struct State {
        var outcomes: [UInt64: HTTP2Outcome] = [:]
        var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    func begin() { state.withLock { $0.outcomes = [:] } }

    func add(_ results: [HTTP2Result]) {
        let ready = state.withLock { state -> CheckedContinuation<Void, Never>? in
            for result in results { state.outcomes[result.tag] = result.outcome }
            guard let waiter = state.waiter, state.outcomes.count >= waiter.count else { return nil }
            state.waiter = nil
            return waiter.continuation
        }
        ready?.resume()
    }

    func wait(_ count: Int) async -> [HTTP2Outcome] {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.outcomes.count >= count { return true }
                state.waiter = (count, continuation)
                return false
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { state in state.outcomes.sorted { $0.key < $1.key }.map(\.value) }
    }
}

extension HTTP2Outcome {
    /// `200`, or the status with its reason, or how the request ended without one.
    var words: String {
        switch self {
        case .response(let response):
            let reason = (try? JSONValue(parsing: response.body))?["reason"]?.string
            return reason.map { "\(response.status) \($0)" } ?? "\(response.status)"
        case .unsent: return "unsent"
        case .unknown: return "unknown"
        }
    }
}
