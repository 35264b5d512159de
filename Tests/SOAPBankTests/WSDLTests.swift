// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import SOAPBank
import Testing
import XML

struct WSDLTests {
    private func get(_ query: String, _ headers: [(name: String, value: String)] = []) async throws -> HTTPResponse {
        let request = HTTPRequest(method: "GET", path: "/bank", query: query, headers: HTTPHeaders(headers))
        return try await Bank().route.handler(request)
    }

    @Test(
        "The address is the one that was asked",
        arguments: [
            ([("Host", "bus.bank:8080")], "http://bus.bank:8080/bank"),
            (
                [("Host", "inner"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "outer, inner")],
                "https://outer/bank"
            ),
            ([("Host", "\"/><x>")], "http://localhost/bank"), ([], "http://localhost/bank"),
            ([("Host", "[::1]:80")], "http://[::1]:80/bank"),
        ] as [([(name: String, value: String)], String)]
    )
    func address(headers: [(name: String, value: String)], address: String) async throws {
        let response = try await get("WSDL", headers)
        #expect(response.status == 200)
        #expect(response.contentType == "text/xml; charset=utf-8")
        #expect(response.part("<soap:address location=\"", "\"") == address)
    }

    @Test func itIsWellFormedAndNamesWhatClientsKnow() throws {
        final class Silent: XMLHandler {
            var elements = 0
            func startElement(_ name: XMLName, _ attributes: XMLAttributes) { elements += 1 }
            func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
            func endElement() {}
        }
        let text = SOAPBank.inboundWSDL(address: "http://a/b?c&d")
        let handler = Silent()
        try XMLParser().parse(Array(text.utf8), handler: handler)
        #expect(handler.elements > 150)
        for line in [
            "<wsdl:service name=\"SBIInboundWebService\">", "location=\"http://a/b?c&amp;d\"",
            "<soap:operation soapAction=\"\" style=\"document\"/>",
            "<xs:element minOccurs=\"0\" name=\"return\" type=\"tns:result\"/>",
            "targetNamespace=\"http://inbound.sbi.pigeon.idamobile.com/\"",
        ] { #expect(text.contains(line)) }
    }

    @Test func aPlainVisitorIsToldWhereItIs() async throws {
        let response = try await get("")
        #expect(response.status == 200)
        #expect(response.text == "SBIInboundWebService: POST SOAP here; the WSDL is at /bank?wsdl\n")
    }
}
