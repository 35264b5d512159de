// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import HTTPServer
import Sandbox
import Testing

@testable import SMSGateway

/// The channel against the stand-in, whose answers are Kannel's.
@Suite(.timeLimit(.minutes(1))) struct SandboxTests {
    private struct Scene {
        let sandbox: Sandbox
        let channel: SMSGateway
        let reports: Arrivals<GatewayReport>
    }

    private func with(
        _ options: String = "",
        account: String = "username: busd\npassword: sandbox\n",
        _ body: (Scene) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "busd-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let sandbox = try Sandbox.start(directory: folder.path)
        let intake = FakeIntake()
        let address = "127.0.0.1:\(try freePorts(1)[0])"
        let reports = "delivery_reports: {url: 'http://\(address)/reports'}\n"
        let channel = try makeChannel("url: \(sandbox.sms.endpoint)\n" + account + reports + options, intake: intake)
        let server = try HTTPServer(listen: [address], routes: channel.routes)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(Scene(sandbox: sandbox, channel: channel, reports: intake.reports)))
        } catch {
            result = .failure(error)
        }
        await server.stop(drain: .zero)
        await sandbox.stop()
        try result.get()
    }

    private func rule(
        _ token: String? = nil,
        report: PushRule.Report? = nil,
        status: Int = 200,
        effect: PushRule.Effect = .answer
    ) -> PushRule {
        var rule = PushRule(token: token, status: status, reason: nil, times: 1)
        rule.effect = effect
        rule.report = report
        return rule
    }

    @Test("A message is taken, shown and reported", arguments: ["get", "post"])
    func delivered(_ method: String) async throws {
        try await with("from: MegaBank\nmethod: \(method)") { scene in
            #expect(await scene.channel.probe() == nil)
            scene.sandbox.sms.removeRecords()
            let delivery = delivery()
            #expect(await sent(delivery, over: scene.channel) == .accepted)
            #expect(try await scene.reports.first { $0.reference == delivery.reference }.fate == .delivered)
            let record = try #require(scene.sandbox.sms.records(token: "79161234567").first)
            #expect(String(decoding: record.body, as: UTF8.self) == "Ваш код: 483920")
            #expect(record.header("from") == "MegaBank" && record.header("coding") == "2" && record.status == 202)
            #expect(record.header("password") == nil)
        }
    }

    @Test(
        "Reports say what a rule wants",
        arguments: [
            (PushRule.Report.undeliverable, "undeliverable: stat:UNDELIV err:011"),
            (.refused, "refused by the SMSC: 0x0000000b Invalid Destination Address"),
        ]
    )
    func reports(_ report: PushRule.Report, _ reason: String) async throws {
        try await with { scene in
            scene.sandbox.sms.setRules([rule("+79161234567", report: report)])
            let first = delivery(ticket: 1)
            let second = delivery(ticket: 2)
            #expect(await sent(first, over: scene.channel) == .accepted)
            let bad = try await scene.reports.first { $0.reference == first.reference }
            #expect(bad.fate == .undeliverable(reason: reason))
            #expect(await sent(second, over: scene.channel) == .accepted)
            #expect(try await scene.reports.first { $0.reference == second.reference }.fate == .delivered)
        }
    }

    @Test("A gateway fails as a rule wants, and then does not")
    func failures() async throws {
        try await with("timeout: 300ms") { scene in
            scene.sandbox.sms.setRules([
                rule(status: 503), rule(status: 403), rule(status: 400), rule("79161234567", effect: .silence),
            ])
            guard case .retry(_, .provider, _) = await sent(delivery(), over: scene.channel) else {
                throw Unexpected("503")
            }
            guard case .unavailable = await sent(delivery(), over: scene.channel) else { throw Unexpected("403") }
            guard case .rejected = await sent(delivery(), over: scene.channel) else { throw Unexpected("400") }
            guard case .unknown = await sent(delivery(), over: scene.channel) else { throw Unexpected("silence") }
            #expect(await sent(delivery(), over: scene.channel) == .accepted)
            #expect(scene.sandbox.sms.records().map(\.status) == [503, 403, 400, 0, 202])
        }
    }

    @Test("Two hundred messages at once arrive once each, and are reported", arguments: ["get", "post"])
    func many(_ method: String) async throws {
        try await with("method: \(method)") { scene in
            let deliveries = (1...200).map { delivery(to: "+7916\(1_000_000 + $0)", ticket: UInt64($0)) }
            let accepted = await withTaskGroup(of: Outcome.self) { group in
                for delivery in deliveries { group.addTask { await sent(delivery, over: scene.channel) } }
                return await group.reduce(0) { $0 + ($1 == .accepted ? 1 : 0) }
            }
            #expect(accepted == 200)
            #expect(Set(scene.sandbox.sms.records().map(\.token)).count == 200)
            #expect(scene.sandbox.sms.records().count == 200)
            for delivery in deliveries { _ = try await scene.reports.first { $0.reference == delivery.reference } }
        }
    }

    @Test("A wrong password is known at the probe and at the first message")
    func password() async throws {
        try await with(account: account) { scene in
            #expect(await scene.channel.probe()?.contains("refuses the user name or the password") == true)
            guard case .unavailable = await sent(delivery(), over: scene.channel) else { throw Unexpected("403") }
        }
    }
}
