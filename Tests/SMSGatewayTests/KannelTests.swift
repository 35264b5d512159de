// SPDX-License-Identifier: Apache-2.0

import Bus
import HTTPServer
import JSON
import Testing

@testable import SMSGateway

/// The channel against the gateway that banks run.
@Suite(.timeLimit(.minutes(1))) struct KannelTests {
    /// Runs `body` with a channel to a gateway, and the bus's side of its reports.
    private func withChannel(
        to kannel: Kannel,
        _ options: String,
        _ body: (SMSGateway, Arrivals<GatewayReport>) async throws -> Void
    ) async throws {
        let intake = FakeIntake()
        let address = "127.0.0.1:\(try freePorts(1)[0])"
        let reports = "delivery_reports: {url: 'http://\(address)/sms/reports'}\n"
        let channel = try makeChannel("url: \(kannel.url)\n" + account + reports + options, intake: intake)
        let server = try HTTPServer(listen: [address], routes: channel.routes)
        do { try await body(channel, intake.reports) } catch {
            await server.stop(drain: .zero)
            throw error
        }
        await server.stop(drain: .zero)
    }

    @Test("A Cyrillic PIN goes through a real Kannel, and its delivery report comes back")
    func pin() async throws {
        try await Kannel.with(.fake) { kannel in
            for (ticket, method) in [(1, "get"), (2, "post")] as [(UInt64, String)] {
                try await withChannel(to: kannel, "from: '900'\nmethod: \(method)") { channel, reports in
                    #expect(await channel.probe() == nil)
                    let delivery = delivery("Ваш код \(method):", ticket: ticket)
                    #expect(await sent(delivery, over: channel) == .accepted)
                    let report = await reports.first { $0.reference == delivery.reference }
                    #expect(report.fate == .delivered)
                }
            }
            let messages = kannel.arrivals.all.filter { $0.contains("Got message") }
            print(kannel.arrivals.all)
            #expect(messages.count == 2)
        }
    }
}
