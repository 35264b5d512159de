// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@testable import SMSGateway

@Suite struct ReportTests {
    private func report(_ query: String, reply: Reply = .done) async throws -> (HTTPResponse, [GatewayReport]) {
        let intake = FakeIntake(reply: reply)
        let text = "url: http://127.0.0.1:1/x\ndelivery_reports: {url: 'http://127.0.0.1:8080/dlr'}\n" + account
        let route = try #require(try makeChannel(text, intake: intake).routes.first)
        let response = await route.handler(HTTPRequest(method: "GET", path: "/dlr", query: query))
        return (response, intake.reports.all)
    }

    @Test(
        "Final reports reach the bus, with what the SMSC said",
        arguments: [
            ("id=7-ab&type=1", GatewayReport.Fate.delivered),
            ("id=7-ab&type=1&answer=id%3A1+stat%3ADELIVRD", .delivered),
            ("id=7-ab&type=2", .undeliverable(reason: "undeliverable")),
            (
                "id=7-ab&type=2&answer=id%3A1+sub%3A001+submit+date%3A26+stat%3AUNDELIV+err%3A011+text%3Acode+483920",
                .undeliverable(reason: "undeliverable: stat:UNDELIV err:011")
            ),
            ("id=7-ab&type=2&answer=text%3A+stat%3ASECRET", .undeliverable(reason: "undeliverable")),
            ("id=7-ab&type=2&answer=stat%3A%00%0A%1B%5B31m+err%3A%D0%96", .undeliverable(reason: "undeliverable")),
            ("id=7-ab&type=2&answer=err%3A79161234567", .undeliverable(reason: "undeliverable")),
            (
                "id=7-ab&type=16&answer=NACK%2F0x0000000b%2FInvalid+Destination+Address",
                .undeliverable(reason: "refused by the SMSC: 0x0000000b Invalid Destination Address")
            ),
            (
                "id=7-ab&type=16&answer=NACK%2F0x%2Fto+79161234567+%0Ano+such",
                .undeliverable(reason: "refused by the SMSC")
            ),
            ("id=7-ab&type=16&answer=NACK%2F", .undeliverable(reason: "refused by the SMSC")),
            ("id=7-ab&type=16&answer=NACK%2F0x%2F%2F%2F", .undeliverable(reason: "refused by the SMSC")),
            ("id=7-ab&type=16&answer=NACK%2F0x00483920%2Fcode", .undeliverable(reason: "refused by the SMSC")),
            (
                "id=7-ab&type=16&answer=NACK%2F0x00000400%2FYour+code+is+hamster",
                .undeliverable(reason: "refused by the SMSC: 0x00000400")
            ),
            ("id=7-ab&type=2&answer=stat%3A483920+err%3A4839", .undeliverable(reason: "undeliverable")),
        ]
    )
    func final(_ query: String, _ fate: GatewayReport.Fate) async throws {
        let (response, reports) = try await report(query)
        #expect(response.status == 200 && response.body.isEmpty)
        #expect(reports == [GatewayReport(reference: "7-ab", fate: fate)])
    }

    @Test("Reports of a message on its way are thanked for", arguments: ["4", "8"])
    func onTheWay(_ type: String) async throws {
        let (response, reports) = try await report("id=7-ab&type=\(type)")
        #expect(response.status == 200 && reports.isEmpty)
    }

    @Test(
        "What makes no sense is refused and tells nothing",
        arguments: [
            "", "id=7-ab", "type=1", "id=&type=1", "id=7-ab&type=", "id=7-ab&type=3", "id=7-ab&type=-1",
            "id=7-ab&type=99999999999999999999", "id=7-ab&type=1.0", "id=%zz&type=1", "id=%00&type=1", "id=%ff&type=1",
            "id=\(String(repeating: "a", count: 129))&type=1", "&&&==&%", "id=7-ab&type=%2531",
            String(repeating: "id=1&", count: 2_000),
        ]
    )
    func hostile(_ query: String) async throws {
        let (response, reports) = try await report(query)
        #expect(response.status == 400 && reports.isEmpty)
    }

    @Test(
        "The gateway hears what the bus says",
        arguments: [
            (Reply.notFound, 404), (.overloaded(retryAfter: 3), 503), (.failed("the disk is full"), 503), (.done, 200),
        ]
    )
    func replies(_ reply: Reply, _ status: Int) async throws {
        let (response, _) = try await report("id=7-ab&type=1", reply: reply)
        #expect(response.status == status)
        #expect(!String(decoding: response.body, as: UTF8.self).contains("7-ab"))
    }
}
