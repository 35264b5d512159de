// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Foundation
import SQLiteStore
import Synchronization
import Testing
import Threads
import YAML

private struct NoSettings: ModuleSettings {
    init(from reader: inout SettingsReader) {}
}

private struct App: InboundAdapter {
    static let name = "app"
    static let summary = "For tests."
    init(settings: NoSettings, context: ModuleContext) {}
}

/// A far end that may be asked a hundred times a second, and notes when it was.
private final class Metered: OutboundChannel {
    static let name = "metered"
    static let summary = "For tests."
    static let arrivals = Mailbox<(at: MonotonicTime, id: NotificationID)>(capacity: 1_000)

    let reach = Reach.devices([.ios])
    let rate: Double? = 100

    init(settings: NoSettings, context: ModuleContext) {}

    func send(_ deliveries: [Delivery], to sink: any DeliverySink) {
        for delivery in deliveries { Self.arrivals.post((.now(), delivery.notification.notification.id)) }
        sink.report(deliveries.map { DeliveryReport(ticket: $0.ticket, outcome: .accepted) })
    }
}

@Suite("What a channel's rate comes to", .timeLimit(.minutes(1)))
struct RateTests {
    private func withPipeline(_ body: (Pipeline) async throws -> Void) async throws {
        var registry = Registry()
        registry.register(App.self)
        registry.register(Metered.self)
        let text = "pipeline: bank\ninbound: [{ app: {} }]\noutbound: [{ metered: {} }]\n"
        let plan = PipelinePlan(
            try PipelineFile.read(YAML.parse(text, file: "p.yaml")),
            registry: registry,
            context: SettingsContext()
        )
        try #require(!plan.diagnostics.hasErrors, "\(plan.diagnostics)")
        let path = FileManager.default.temporaryDirectory.appending(path: "rate-\(UUID().uuidString).db").path
        defer {
            for end in ["", "-wal", "-shm", ".commits"] { try? FileManager.default.removeItem(atPath: path + end) }
        }
        let ledger = try SQLiteLedger(path: path)
        defer { ledger.close() }
        let runner = try PipelineRunner(plan, ledger: ledger, log: Log(minimum: .error) { _, _, _ in })
        await runner.start()
        try await body(runner.pipeline)
        await runner.drain()
    }

    private func notification(_ id: NotificationID, _ users: [RecipientID], _ type: NotificationType) -> Message {
        .notification(
            .init(
                id: id,
                recipients: users.map { Recipient($0) },
                timeout: 600,
                content: PushContent(badge: 0, text: "text", type: type, target: type.requiresTarget ? "1" : nil)
            )
        )
    }

    @Test("a module that says 100 a second gets no more, and what is urgent goes first")
    func kept() async throws {
        try await withPipeline { pipeline in
            let users = (0..<60).map { RecipientID("user\($0)") }
            for (number, user) in users.enumerated() {
                let registration = Registration(
                    app: "retail",
                    user: Recipient(user),
                    deviceID: "d-\(user)",
                    platform: .ios,
                    token: "\(10_000 + number)"
                )
                guard case .subscribed = await pipeline.submit(.registration(registration)) else {
                    Issue.record("not registered")
                    return
                }
            }
            _ = await pipeline.submit(notification("bulk", users, .universal))
            _ = await pipeline.submit(notification("code", [users[0]], .pinCode))
            let arrivals = await received(61)
            let first = try #require(arrivals.first?.at)
            let last = try #require(arrivals.last?.at)
            let time = last.milliseconds(since: first)
            // A tenth of a second's worth may go at once.
            #expect(time >= 450)
            #expect(time < 5_000)
            let place = try #require(arrivals.firstIndex { $0.id == "code" })
            #expect(place < 40, "number \(place)")
        }
    }

    /// Waits for so many, on a thread of its own.
    private func received(_ count: Int) async -> [(at: MonotonicTime, id: NotificationID)] {
        await withCheckedContinuation { continuation in
            _ = NamedThread("arrivals") {
                var found: [(at: MonotonicTime, id: NotificationID)] = []
                while found.count < count, let more = Metered.arrivals.take() { found += more }
                continuation.resume(returning: found)
            }
        }
    }
}
