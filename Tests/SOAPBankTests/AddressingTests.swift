// SPDX-License-Identifier: Apache-2.0

import Bus
import TestSupport
import Testing

@Suite("WS-Addressing")
struct AddressingTests {
    static let v10 = "http://www.w3.org/2005/08/addressing"
    static let v2004 = "http://schemas.xmlsoap.org/ws/2004/08/addressing"

    /// What JAX-WS and .NET send, with headers of a test's own.
    private static func header(_ more: String = "", version: String = v10, demanded: Bool = true) -> String {
        let demand = demanded ? " s:mustUnderstand=\"1\"" : ""
        return """
            <s:Header xmlns:a="\(version)"><a:Action\(demand)>\(ourNamespace)SBIInboundWebService/sendNotification</a:Action>\
            <a:To\(demand)>http://bus/bank</a:To><a:MessageID>uuid:7&lt;</a:MessageID>\(more)</s:Header>
            """
    }

    private static func replyTo(_ address: String, _ name: String = "ReplyTo") -> String {
        "<a:\(name) s:mustUnderstand=\"true\"><a:Address> \(address) </a:Address></a:\(name)>"
    }

    @Test(
        "a request with demanded headers is answered with headers of its version",
        arguments: [soap11, soap12],
        [(v10, v10 + "/anonymous"), (v2004, v2004 + "/role/anonymous")]
    )
    func answered(soap: String, addressing: (String, String)) async throws {
        let (version, anonymous) = addressing
        for more in ["", Self.replyTo(anonymous), Self.replyTo(anonymous) + Self.replyTo(anonymous, "FaultTo")] {
            let bank = try Bank()
            let header = Self.header(more, version: version)
            let response = await bank.post(envelope(send(), header: header, version: soap))
            #expect(response.status == 200)
            #expect(bank.intake.messages.count == 1)
            #expect(response.part("xmlns:wsa=\"", "\"") == version)
            #expect(
                response.part("<wsa:Action>", "</") == "\(ourNamespace)SBIInboundWebService/sendNotificationResponse"
            )
            #expect(response.part("<wsa:RelatesTo>", "</") == "uuid:7&lt;")
            #expect(response.part("<wsa:To>", "</") == anonymous)
            let id = try #require(response.part("<wsa:MessageID>urn:uuid:", "</"))
            #expect(id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
            let again = await bank.post(envelope(send(), header: header, version: soap))
            #expect(again.part("<wsa:MessageID>urn:uuid:", "</") != id)
        }
    }

    @Test("an answer to a request without such headers has none")
    func unaddressed() async throws {
        let response = try await Bank().post(envelope(send(), header: "<s:Header/>"))
        #expect(!response.text.contains("Header"))
    }

    @Test(
        "answers to somewhere else are refused, and nothing is kept",
        arguments: [
            (v10, "ReplyTo", "http://caller/answers"), (v10, "FaultTo", "http://caller/faults"),
            (v10, "ReplyTo", v2004 + "/role/anonymous"), (v2004, "ReplyTo", "http://caller/answers"),
            (v2004, "FaultTo", v10 + "/anonymous"), (v2004, "ReplyTo", v2004 + "/none"),
        ]
    )
    func notAnonymous(version: String, name: String, address: String) async throws {
        let bank = try Bank()
        let header = Self.header(Self.replyTo(address, name), version: version)
        let old = await bank.post(envelope(send(), header: header))
        #expect(old.status == 500)
        let code = version == Self.v10 ? "OnlyAnonymousAddressSupported" : "InvalidMessageInformationHeader"
        #expect(old.part("<faultcode", "</") == " xmlns:wsa=\"\(version)\">wsa:\(code)")
        #expect(old.part("<wsa:Action>", "</") == version + "/fault")
        #expect(old.part("<wsa:RelatesTo>", "</") == "uuid:7&lt;")
        #expect(old.faultString?.contains("\(name) must be anonymous") == true)
        let problem = "<wsa:FaultDetail><wsa:ProblemHeaderQName>wsa:\(name)</wsa:ProblemHeaderQName></wsa:FaultDetail>"
        #expect(old.text.contains(problem) == (version == Self.v10))
        let new = await bank.post(envelope(send(), header: header, version: soap12))
        #expect(new.status == 400)
        #expect(new.text.contains("<soap:Value>soap:Sender</soap:Value>"))
        #expect(new.text.contains(">wsa:\(code)</soap:Value></soap:Subcode>"))
        #expect(new.text.contains("<wsa:ProblemHeaderQName>wsa:\(name)</wsa:ProblemHeaderQName></soap:Detail>"))
        #expect(bank.intake.messages.isEmpty)
    }

    @Test(
        "a header that comes twice, or without an address, is refused",
        arguments: [
            ("<a:MessageID>2</a:MessageID>", "InvalidCardinality", "MessageID"),
            ("<a:Action>x</a:Action>", "InvalidCardinality", "Action"), ("<a:To>x</a:To>", "InvalidCardinality", "To"),
            (replyTo(v10 + "/anonymous") + replyTo(v10 + "/anonymous"), "InvalidCardinality", "ReplyTo"),
            ("<a:ReplyTo/>", "MissingAddressInEPR", "ReplyTo"),
            ("<a:FaultTo><a:Address> </a:Address></a:FaultTo>", "MissingAddressInEPR", "FaultTo"),
        ]
    )
    func malformed(more: String, code: String, header: String) async throws {
        let bank = try Bank()
        let response = await bank.post(envelope(send(), header: Self.header(more)))
        #expect(response.text.contains(">wsa:\(code)</faultcode>"), "\(response.text)")
        #expect(response.text.contains("<wsa:ProblemHeaderQName>wsa:\(header)</wsa:ProblemHeaderQName>"))
        #expect(bank.intake.messages.isEmpty)
    }

    @Test(
        "headers that may repeat, or are somebody else's, or of another version, change nothing",
        arguments: [
            "<a:RelatesTo>1</a:RelatesTo><a:RelatesTo RelationshipType=\"x\">2</a:RelatesTo>",
            "<a:ReplyTo s:actor=\"urn:proxy\"><a:Address>http://caller/</a:Address></a:ReplyTo>",
            "<a:From><a:Address>http://caller/</a:Address></a:From><a:From/>",
            "<b:ReplyTo xmlns:b=\"\(v2004)\"><b:Address>http://caller/</b:Address></b:ReplyTo>",
            "<a:ReplyTo><a:ReferenceParameters><x>1</x></a:ReferenceParameters><a:Address>\(v10)/anonymous</a:Address></a:ReplyTo>",
        ]
    )
    func harmless(more: String) async throws {
        let bank = try Bank()
        #expect(await bank.post(envelope(send(), header: Self.header(more))).status == 200)
        #expect(bank.intake.messages.count == 1)
    }

    @Test("a demanded header of the other version, or of none, is not understood, and the fault is addressed")
    func notUnderstood() async throws {
        for block in [
            "<b:To xmlns:b=\"\(Self.v2004)\" s:mustUnderstand=\"1\">x</b:To>", "<a:Else s:mustUnderstand=\"1\"/>",
        ] {
            let bank = try Bank()
            let response = await bank.post(envelope(send(), header: Self.header(block)))
            #expect(response.text.contains("<faultcode>soap:MustUnderstand</faultcode>"))
            #expect(response.part("<wsa:Action>", "</") == Self.v10 + "/soap/fault")
            #expect(response.part("<wsa:RelatesTo>", "</") == "uuid:7&lt;")
            #expect(bank.intake.messages.isEmpty)
        }
    }

    @Test("a fault of the request's own is addressed too")
    func fault() async throws {
        let response = try await Bank().post(envelope(send(more: "<priority>11</priority>"), header: Self.header()))
        #expect(response.status == 500)
        #expect(response.part("<wsa:Action>", "</") == Self.v10 + "/soap/fault")
        #expect(response.text.contains("<faultcode>soap:Client</faultcode>"))
    }

    @Test("who wants no answer gets none, but hears of a fault")
    func noAnswer() async throws {
        let bank = try Bank()
        let header = Self.header(Self.replyTo(Self.v10 + "/none"))
        let response = await bank.post(envelope(send(), header: header))
        #expect(response.status == 202)
        #expect(response.body.isEmpty)
        #expect(bank.intake.messages.count == 1)
        #expect(await bank.post(envelope("<other/>", header: header)).status == 500)
    }
}
