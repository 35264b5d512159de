// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import TestSupport
import Testing

@Suite("The time of a message")
struct TimestampTests {
    private static let wsu = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"

    private static func header(_ parts: String) -> String {
        "<s:Header><w:Security xmlns:w='\(AuthenticationTests.wsse)' xmlns:u='\(wsu)'>\(parts)</w:Security></s:Header>"
    }

    private static func stamp(_ created: TimeInterval, _ expires: TimeInterval) -> String {
        func text(_ seconds: TimeInterval) -> String { Date.now.addingTimeInterval(seconds).formatted(.iso8601) }
        return
            "<u:Timestamp><u:Created>\(text(created))</u:Created><u:Expires>\(text(expires))</u:Expires></u:Timestamp>"
    }

    private static let token =
        "<w:UsernameToken><w:Username>bank</w:Username><w:Password>pass</w:Password></w:UsernameToken>"

    @Test(
        "counts within five minutes of the bus's, with authentication or without",
        arguments: [
            (0.0, 300.0, true), (-3600, -280, true), (280, 600, true), (-3600, -320, false), (320, 600, false),
        ],
        [true, false]
    )
    func times(times: (created: Double, expires: Double, isTaken: Bool), isSecured: Bool) async throws {
        let options = isSecured ? "auth: { ws_security: { username: bank, password: pass } }" : ""
        let bank = try Bank(options: options)
        let header = Self.header(Self.stamp(times.created, times.expires) + Self.token)
        let response = await bank.post(envelope(send(), header: header))
        #expect(response.status == (times.isTaken ? 200 : 500), "\(response.text)")
        #expect(bank.intake.messages.count == (times.isTaken ? 1 : 0))
        guard !times.isTaken else { return }
        #expect(response.part("<faultcode", "</") == " xmlns:wsse=\"\(AuthenticationTests.wsse)\">wsse:MessageExpired")
        let new = await bank.post(envelope(send(), header: header, version: soap12))
        #expect(new.status == 400)
        #expect(new.text.contains(">wsse:MessageExpired</soap:Value></soap:Subcode>"))
    }

    @Test(
        "that is none is refused",
        arguments: [
            "<u:Timestamp><u:Expires>tomorrow</u:Expires></u:Timestamp>",
            "<u:Timestamp/><u:Timestamp/>",
        ]
    )
    func malformed(stamp: String) async throws {
        let bank = try Bank()
        let response = await bank.post(envelope(send(), header: Self.header(stamp)))
        #expect(response.text.contains(">wsse:InvalidSecurity</faultcode>"))
        #expect(bank.intake.messages.isEmpty)
    }

    @Test("for somebody else says nothing")
    func otherActor() async throws {
        let bank = try Bank()
        let header = Self.header(Self.stamp(-7200, -3600)).replacing(
            "<w:Security ",
            with: "<w:Security s:actor='urn:x' "
        )
        #expect(await bank.post(envelope(send(), header: header)).status == 200)
    }
}
