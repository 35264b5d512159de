// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer
import Synchronization
import Testing

/// A gateway for text messages that speaks Kannel's interface: keeps what it is asked, and answers as a test wants.
final class GatewayStandIn: Sendable {
    enum Answer: Sendable {
        case accept, refuse, busy
        /// Nothing, as long as the test runs.
        case hold
    }

    struct Message: Sendable {
        let to: String
        let text: String
        /// Where it is to tell what became of it.
        let report: String
    }

    private struct State {
        var answer = Answer.accept
        var messages: [Message] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var held: [CheckedContinuation<Void, Never>] = []
        var isOver = false
    }

    private let state = Mutex(State())

    /// Runs `body` with a gateway at a URL, gone afterwards.
    static func with<Result>(_ body: (GatewayStandIn, _ url: String) async throws -> Result) async throws -> Result {
        let gateway = GatewayStandIn()
        let route = HTTPRoute(.exact, path: "/cgi-bin/sendsms", methods: ["GET"]) { await gateway.answer($0) }
        let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: [route])
        do {
            let port = try #require(server.addresses.first).port
            let result = try await body(gateway, "http://127.0.0.1:\(port)/cgi-bin/sendsms")
            gateway.end()
            await server.stop(drain: .zero)
            return result
        } catch {
            gateway.end()
            await server.stop(drain: .zero)
            throw error
        }
    }

    /// All that it was asked to send, whatever it answered.
    var messages: [Message] { state.withLock { $0.messages } }

    func answers(_ answer: Answer) { state.withLock { $0.answer = answer } }

    /// Waits until it was asked so often.
    func asked(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.messages.count < count { state.waiters.append((count, continuation)) }
                return state.messages.count >= count
            }
            if isThere { continuation.resume() }
        }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let message = Message(
            to: request.queryValue("to") ?? "",
            text: request.queryValue("text") ?? "",
            report: request.queryValue("dlr-url") ?? ""
        )
        let (answer, woken) = state.withLock { state in
            state.messages.append(message)
            let woken = state.waiters.filter { $0.count <= state.messages.count }
            state.waiters.removeAll { $0.count <= state.messages.count }
            return (state.answer, woken)
        }
        for waiter in woken { waiter.continuation.resume() }
        switch answer {
        case .accept: return HTTPResponse(status: 202, text: "0: Accepted for delivery")
        case .refuse: return HTTPResponse(status: 400, text: "Number(s) has/have been denied")
        case .busy: return HTTPResponse(status: 503, text: "Temporal failure, try again later.")
        case .hold:
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isOver { state.held.append(continuation) }
                    return state.isOver
                }
                if isOver { continuation.resume() }
            }
            return HTTPResponse(status: 202, text: "0: Accepted for delivery")
        }
    }

    /// Lets go whom it held.
    private func end() {
        let held = state.withLock { state in
            state.isOver = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}
