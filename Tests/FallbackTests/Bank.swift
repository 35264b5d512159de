// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import SQLiteStore
import Testing
import YAML

@testable import Engine

/// A pipeline with a push channel and a gateway, at work over a ledger in a file of its own.
final class Bank: Sendable {
    let ends: FarEnds
    let pipeline: Pipeline
    private let runner: PipelineRunner
    private let ledger: SQLiteLedger
    private let path: String

    init(after: String = "30s", when: String = "{ type: PIN_CODE }") async throws {
        let name = "p\(UUID().uuidString.lowercased())"
        ends = .named(name)
        path = FileManager.default.temporaryDirectory.appending(path: "\(name).db").path
        var registry = Registry()
        registry.register(SilentApp.self)
        registry.register(PushChannel.self)
        registry.register(TextChannel.self)
        let text = """
            pipeline: \(name)
            inbound: [{ app: {} }]
            outbound: [{ push: {} }, { text: { after: \(after) }, when: \(when) }]
            """
        let file = try PipelineFile.read(YAML.parse(text, file: "p.yaml"))
        let plan = PipelinePlan(file, registry: registry, context: SettingsContext())
        try #require(!plan.diagnostics.hasErrors, "\(plan.diagnostics)")
        ledger = try SQLiteLedger(path: path)
        runner = try PipelineRunner(plan, ledger: ledger, log: Log(minimum: .error) { _, _, _ in })
        pipeline = runner.pipeline
        await runner.start()
    }

    /// Ends it; nothing may be left on the disk.
    func close() async {
        await runner.drain()
        ledger.close()
        for suffix in ["", "-wal", "-shm", ".commits"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    func register(_ user: RecipientID, phone: String? = "+375290000001") async -> Reply {
        await pipeline.submit(
            .registration(
                Registration(
                    app: "retail",
                    user: Recipient(user),
                    deviceID: "device of \(user)",
                    platform: .ios,
                    token: "token of \(user)",
                    phone: phone,
                    tags: []
                )
            )
        )
    }

    func send(
        _ id: NotificationID = "n1",
        to users: [RecipientID] = ["anna"],
        phone: String? = nil,
        type: NotificationType = .pinCode,
        timeout: Int = 600,
        isStrict: Bool = false
    ) async -> Reply {
        var notification = Notification(
            id: id,
            recipients: users.map { Recipient($0) },
            timeout: timeout,
            content: PushContent(badge: 0, text: "code", type: type, target: "4711"),
            details: phone.map { PushDetails(tags: [PushDetails.Tag(key: "phone", value: $0)]) }
        )
        notification.requiresKnownRecipients = isStrict
        return await pipeline.submit(.notification(notification))
    }

    func status(_ id: NotificationID = "n1") async -> DeliveryStatus? {
        if case .statuses(let statuses) = await pipeline.submit(.query(.deliveryStatus(id))) {
            statuses.first?.status
        } else {
            nil
        }
    }

    func steps(_ id: NotificationID = "n1") async -> [String] {
        guard case .timeline(let steps) = await pipeline.submit(.query(.timeline(id))) else { return [] }
        return steps.map { [$0.event, $0.channel, $0.detail].compactMap(\.self).joined(separator: " ") }
    }

    /// Waits until the notification has this status.
    func reach(_ status: DeliveryStatus, _ id: NotificationID = "n1") async {
        while await self.status(id) != status { try? await Task.sleep(for: .milliseconds(5)) }
    }
}
