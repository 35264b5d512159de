// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer
import Synchronization

/// Stands in for a bank: the SOAP service that a bus calls with its events and its questions about subscriptions.
public final class BankStandIn: Sendable {
    private struct State: Awaited {
        var desk: BankDesk
        var arrivals = Arrivals()
        var total: Int { desk.calls.total }
    }

    /// Where a bus calls it.
    public let url: String
    private let state: SharedState<State>
    private let server: HTTPServer

    init(port: UInt16, capacity: Int) throws {
        let state = SharedState(State(desk: BankDesk(capacity: capacity)))
        let path = "/SBIOutboundWebService"
        let route = HTTPRoute(.exact, path: path, methods: ["POST"]) { await Self.answer($0, state) }
        server = try HTTPServer(listen: ["127.0.0.1:\(port)"], routes: [route])
        self.state = state
        url = "http://\(server.addresses[0])\(path)"
    }

    /// The latest calls, in the order of their arrival.
    public var calls: [BankCall] { state.value.withLock { $0.desk.calls.all } }

    /// Forgets all calls.
    public func removeCalls() { state.value.withLock { $0.desk.calls.removeAll() } }

    /// What it knows and how it fails.
    public var script: BankScript { state.value.withLock { $0.desk.script } }

    /// Changes what it knows or how it fails.
    public func change(_ body: @Sendable (inout BankScript) -> Void) {
        state.value.withLock { body(&$0.desk.script) }
    }

    /// Waits until so many calls have arrived since the start or the last ``removeCalls()``, or the task is cancelled.
    public func called(_ count: Int) async { await state.arrived(count) }

    /// Ends the server.
    func stop() async { await server.stop(drain: .seconds(1)) }

    private static func answer(_ request: HTTPRequest, _ state: SharedState<State>) async -> HTTPResponse {
        guard let call = try? BankCallReader.read(request.body, at: WallTime.now().milliseconds) else {
            let answer = BankDesk.Answer.fault(code: "Client", text: "the request is no call", status: 500)
            return response(answer, "")
        }
        let (answer, delay, done) = state.value.withLock { state in
            let answer = state.desk.answer(call)
            return (answer, state.desk.script.delay, state.arrivals.take(at: state.desk.calls.total))
        }
        for waiter in done { waiter.resume() }
        if delay > 0 { try? await Task.sleep(for: .milliseconds(delay)) }
        return response(answer, call.operation)
    }

    private static func response(_ answer: BankDesk.Answer, _ operation: String) -> HTTPResponse {
        let type = "text/xml; charset=utf-8"
        return HTTPResponse(status: answer.status, contentType: type, body: answer.body(operation: operation))
    }
}
