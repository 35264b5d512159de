// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer
import Synchronization
import Testing
import Threads
import YAML

@testable import SMSGateway

/// Keeps what arrives and lets a test wait for it.
final class Arrivals<Value: Sendable>: Sendable {
    private typealias Waiting = CheckedContinuation<Value, any Error>

    private struct State {
        var values: [Value] = []
        var waiting: [Int: (isWanted: @Sendable (Value) -> Bool, continuation: Waiting)] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    var all: [Value] { state.withLock { $0.values } }

    func add(_ value: Value) {
        let ready = state.withLock { state in
            state.values.append(value)
            let ready = state.waiting.filter { $0.value.isWanted(value) }
            for id in ready.keys { state.waiting[id] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume(returning: value) }
    }

    /// The first that is wanted, of those that came already and those to come.
    func first(where isWanted: @escaping @Sendable (Value) -> Bool) async throws -> Value {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Waiting) in
                let found = state.withLock { state in
                    let found = state.values.first(where: isWanted)
                    if found == nil { state.waiting[id] = (isWanted, continuation) }
                    return found
                }
                if let found { continuation.resume(returning: found) }
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: id) }
        waiting?.continuation.resume(throwing: CancellationError())
    }
}

/// A bus that keeps the reports it is given and says what the test wants.
struct FakeIntake: Intake {
    let reports = Arrivals<GatewayReport>()
    var reply = Reply.done

    func submit(_ message: Message) async -> Reply {
        if case .gatewayReport(let report) = message { reports.add(report) }
        return reply
    }
}

func makeSettings(_ options: String) throws -> SMSGatewaySettings {
    try SMSGatewaySettings.read(YAML.parse(options, file: "p.yaml"))
}

func makeChannel(_ options: String, intake: any Intake = FakeIntake(), log: Log = .silent) throws -> SMSGateway {
    let context = ModuleContext(pipeline: "p", label: "sms_gateway", log: log, intake: intake)
    return try SMSGateway(settings: makeSettings(options), context: context)
}

let account = "username: busd\npassword: gate-password\n"

/// A PIN code on its way to a phone.
func delivery(
    _ text: String = "Ваш код:",
    target: String? = "483920",
    to phone: String = "+79161234567",
    ticket: UInt64 = 7,
    timeout: Int = 300
) -> Delivery {
    let content = PushContent(badge: 0, text: text, type: .pinCode, target: target)
    let notification = Notification(
        id: NotificationID("n1"),
        recipients: [Recipient("ivanov")],
        timeout: timeout,
        content: content
    )
    return Delivery(
        ticket: ticket,
        sequence: Int64(ticket),
        notification: OutgoingNotification(
            notification: notification,
            sequence: 1,
            acceptedAt: .now()
        ),
        address: .phone(phone),
        messageID: MessageID(high: 0x1234_5678_9abc_8def, low: 0x8000_0000_0000_0000 | ticket),
        expiration: nil,
        deadline: MonotonicTime.now().adding(milliseconds: 30_000)
    )
}

/// Sends a delivery and waits for what became of it.
func sent(_ delivery: Delivery, over channel: SMSGateway) async -> Outcome {
    struct Sink: DeliverySink {
        let continuation: CheckedContinuation<Outcome, Never>
        let ticket: UInt64
        func report(_ reports: [DeliveryReport]) {
            for report in reports where report.ticket == ticket { continuation.resume(returning: report.outcome) }
        }
    }
    return await withCheckedContinuation {
        channel.send([delivery], to: Sink(continuation: $0, ticket: delivery.ticket))
    }
}

/// A gateway that answers as the test says.
struct FakeGateway {
    let requests: Arrivals<HTTPRequest>
    let url: String

    /// Runs `body` with a gateway whose answers `answer` gives.
    static func with<Result>(
        _ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse,
        _ body: (FakeGateway) async throws -> Result
    ) async throws -> Result {
        let arrivals = Arrivals<HTTPRequest>()
        let route = HTTPRoute(.exact, path: "/cgi-bin/sendsms", methods: ["GET", "POST"]) { request in
            arrivals.add(request)
            return await answer(request)
        }
        let server = try HTTPServer(listen: ["127.0.0.1:0"], routes: [route])
        let port = try #require(server.addresses.first).port
        let gateway = FakeGateway(requests: arrivals, url: "http://127.0.0.1:\(port)/cgi-bin/sendsms")
        do {
            let result = try await body(gateway)
            await server.stop(drain: .zero)
            return result
        } catch {
            await server.stop(drain: .zero)
            throw error
        }
    }
}
