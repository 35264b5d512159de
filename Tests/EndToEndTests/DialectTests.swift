// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import Sandbox
import Testing

/// One notification in the words of the programs that banks call with.
@Suite("Every bank's dialect of SOAP", .timeLimit(.minutes(1)))
struct DialectTests {
    private static let ours = "http://inbound.sbi.pigeon.idamobile.com/"
    private static let soap11 = "http://schemas.xmlsoap.org/soap/envelope/"
    private static let soap12 = "http://www.w3.org/2003/05/soap-envelope"
    private static let message = "Остаток: 5 < 7 & «ещё» № 1"
    private static let escaped = "Остаток: 5 &lt; 7 &amp; «ещё» № 1"

    /// How a program sends a text.
    struct Dialect: Sendable, CustomTestStringConvertible {
        enum Framing { case length, chunks, afterContinue }

        let testDescription: String
        var type = "text/xml; charset=utf-8"
        var headers = ["SOAPAction: \"\""]
        var framing = Framing.length
        var encoding = String.Encoding.utf8
        let text: String
    }

    private static let fields = """
        <id>ID</id><pushContent><badge>1</badge><text>\(escaped)</text><type>UNIVERSAL</type></pushContent>\
        <recipients>anna</recipients><timeout>600</timeout>
        """

    /// KOI8-R has neither № nor these quotes.
    private static let koi8Fields = fields.replacing("№", with: "&#8470;").replacing("«", with: "&#171;")
        .replacing("»", with: "&#187;")

    static let dialects: [Dialect] = [
        Dialect(
            testDescription: "CXF",
            type: "text/xml; charset=UTF-8",
            headers: ["SOAPAction: \"\"", "Accept: */*", "User-Agent: Apache-CXF/3.3.6", "Pragma: no-cache"],
            framing: .chunks,
            text: """
                <soap:Envelope xmlns:soap="\(soap11)"><soap:Body><ns2:sendNotification xmlns:ns2="\(ours)">\
                <notification>\(fields)</notification></ns2:sendNotification></soap:Body></soap:Envelope>
                """
        ),
        Dialect(
            testDescription: ".NET WCF, basicHttpBinding",
            headers: [
                "SOAPAction: \"\"", "Expect: 100-continue", "Accept-Encoding: gzip, deflate",
                "VsDebuggerCausalityData: uIDPo5F/qX0VwkZCkXsYgQ3Wv9UAAAAAl0Zl8XkS5kWJ",
            ],
            framing: .afterContinue,
            text: """
                <s:Envelope xmlns:s="\(soap11)"><s:Header><ActivityId CorrelationId="1" \
                xmlns="http://schemas.microsoft.com/2004/09/ServiceModel/Diagnostics">2</ActivityId></s:Header>\
                <s:Body xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
                xmlns:xsd="http://www.w3.org/2001/XMLSchema"><sendNotification xmlns="\(ours)">\
                <notification xmlns="">\(fields)</notification></sendNotification></s:Body></s:Envelope>
                """
        ),
        Dialect(
            testDescription: ".NET WCF, wsHttpBinding without security",
            type: "application/soap+xml; charset=utf-8; action=\"\"",
            headers: ["Expect: 100-continue"],
            framing: .afterContinue,
            text: """
                <s:Envelope xmlns:s="\(soap12)" xmlns:a="http://www.w3.org/2005/08/addressing"><s:Header>\
                <a:Action s:mustUnderstand="1"/><a:MessageID>urn:uuid:1</a:MessageID><a:ReplyTo><a:Address>\
                http://www.w3.org/2005/08/addressing/anonymous</a:Address></a:ReplyTo>\
                <a:To s:mustUnderstand="1">http://bus/</a:To></s:Header><s:Body><sendNotification xmlns="\(ours)">\
                <notification xmlns="">\(fields)</notification></sendNotification></s:Body></s:Envelope>
                """
        ),
        Dialect(
            testDescription: "SoapUI",
            type: "text/xml;charset=UTF-8",
            text: """
                <soapenv:Envelope xmlns:soapenv="\(soap11)" xmlns:inb="\(ours)">
                   <soapenv:Header/>
                   <soapenv:Body>
                      <inb:sendNotification>
                         <!--Optional:-->
                         <notification>
                            <!--Optional:-->
                            <details>
                               <!--Zero or more repetitions:-->
                               <entry>
                                  <!--Optional:-->
                                  <key>?</key>
                                  <!--Optional:-->
                                  <value>?</value>
                               </entry>
                            </details>
                            <!--Optional:-->
                            \(fields)
                            <collapseId>?</collapseId>
                         </notification>
                      </inb:sendNotification>
                   </soapenv:Body>
                </soapenv:Envelope>
                """
        ),
        Dialect(
            testDescription: "1C",
            type: "text/xml",
            encoding: .windowsCP1251,
            text: """
                <?xml version="1.0" encoding="windows-1251"?>\r
                <SOAP-ENV:Envelope xmlns:SOAP-ENV="\(soap11)" xmlns:xs="http://www.w3.org/2001/XMLSchema" \
                xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\r
                <SOAP-ENV:Body><m:sendNotification xmlns:m="\(ours)"><m:notification xsi:type="m:notification">\
                <m:timeout xsi:type="xs:int">600</m:timeout><m:recipients xsi:type="xs:string">anna</m:recipients>\
                <m:pushContent><m:type>UNIVERSAL</m:type><m:text xsi:type="xs:string">\(escaped)</m:text>\
                <m:badge>1</m:badge><m:sound xsi:nil="true"/></m:pushContent><m:id>ID</m:id></m:notification>\
                </m:sendNotification></SOAP-ENV:Body></SOAP-ENV:Envelope>
                """
        ),
        Dialect(
            testDescription: "1C behind a proxy that names another charset",
            encoding: .windowsCP1251,
            text: """
                <?xml version='1.0' encoding='windows-1251'?><e:Envelope xmlns:e="\(soap11)"><e:Body>\
                <sendNotification><notification>\(fields)</notification></sendNotification></e:Body></e:Envelope>
                """
        ),
        Dialect(
            testDescription: "PHP, texts in CDATA, the charset in the header",
            type: "text/xml; charset=\"windows-1251\"",
            headers: ["SOAPAction: \"\(ours)sendNotification\"", "User-Agent: PHP-SOAP/7.4"],
            encoding: .windowsCP1251,
            text: """
                <SOAP-ENV:Envelope xmlns:SOAP-ENV="\(soap11)" xmlns:ns1="\(ours)"><SOAP-ENV:Body>\
                <ns1:sendNotification><notification><id>ID</id><pushContent><badge>1</badge>\
                <text><![CDATA[Остаток: 5 < 7 ]]>&amp;<!-- and --> <![CDATA[«ещё» № 1]]></text>\
                <type>UNIVERSAL</type></pushContent><recipients><![CDATA[anna]]></recipients>\
                <timeout>600</timeout></notification></ns1:sendNotification></SOAP-ENV:Body></SOAP-ENV:Envelope>
                """
        ),
        Dialect(
            testDescription: "a mainframe's neighbour in KOI8-R",
            type: "text/xml; charset='koi8-r'",
            encoding: .init(rawValue: 0x8000_0a02),
            text: """
                <?xml version="1.0" encoding="KOI8-R"?><e:Envelope xmlns:e="\(soap11)"><e:Body>\
                <sendNotification><notification>\(koi8Fields)</notification></sendNotification></e:Body></e:Envelope>
                """
        ),
        Dialect(
            testDescription: "JAX-WS, addressing required",
            text: """
                <S:Envelope xmlns:S="\(soap11)"><S:Header><To xmlns="http://www.w3.org/2005/08/addressing" \
                S:mustUnderstand="1">http://bus/</To><Action xmlns="http://www.w3.org/2005/08/addressing" \
                S:mustUnderstand="1">\(ours)SBIInboundWebService/sendNotification</Action><ReplyTo \
                xmlns="http://www.w3.org/2005/08/addressing"><Address>http://www.w3.org/2005/08/addressing/anonymous\
                </Address></ReplyTo><MessageID xmlns="http://www.w3.org/2005/08/addressing">uuid:1</MessageID></S:Header>\
                <S:Body><ns2:sendNotification xmlns:ns2="\(ours)"><notification>\(fields)</notification>\
                </ns2:sendNotification></S:Body></S:Envelope>
                """
        ),
        Dialect(
            testDescription: "Axis 1.4, rpc/encoded",
            type: "text/xml; charset=utf-8",
            text: """
                <soapenv:Envelope xmlns:soapenv="\(soap11)" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\
                <soapenv:Body><ns1:sendNotification soapenv:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/" \
                xmlns:ns1="\(ours)"><in0 href="#id0"/></ns1:sendNotification><multiRef id="id0" soapenc:root="0" \
                xmlns:soapenc="http://schemas.xmlsoap.org/soap/encoding/">\(fields)</multiRef></soapenv:Body>\
                </soapenv:Envelope>
                """
        ),
        Dialect(
            testDescription: "CXF with MTOM",
            type: "multipart/related; type=\"application/xop+xml\"; boundary=\"uuid:1\"; start=\"<root@cxf>\"",
            framing: .chunks,
            text: """
                --uuid:1\r\nContent-Type: application/xop+xml; charset=UTF-8; type="text/xml"\r\n\
                Content-Transfer-Encoding: binary\r\nContent-ID: <root@cxf>\r\n\r\n\
                <soap:Envelope xmlns:soap="\(soap11)"><soap:Body><ns2:sendNotification xmlns:ns2="\(ours)">\
                <notification>\(fields)</notification></ns2:sendNotification></soap:Body></soap:Envelope>\r\n--uuid:1--
                """
        ),
        Dialect(
            testDescription: "a program that thinks in UTF-16",
            type: "application/soap+xml; charset=utf-16",
            framing: .chunks,
            encoding: .utf16,
            text: """
                <?xml version="1.0" encoding="UTF-16"?><e:Envelope xmlns:e="\(soap12)"><e:Body>\
                <sendNotification><notification>\(fields)</notification></sendNotification></e:Body></e:Envelope>
                """
        ),
        Dialect(
            testDescription: "a script that says nothing of itself, and adds what it likes",
            type: "application/x-www-form-urlencoded",
            headers: [],
            text: """
                \u{feff}<?php-like pi?><Envelope xmlns="\(soap11)"><Header><trace>1</trace></Header><Body>\
                <x:sendNotification xmlns:x="\(ours)"><x:notification><extra><id>other</id></extra>\
                \(fields.replacingOccurrences(of: "<", with: "<x:").replacingOccurrences(of: "<x:/", with: "</x:"))\
                </x:notification></x:sendNotification></Body></Envelope>
                """
        ),
    ]

    @Test("is understood, answered in kind, and the text arrives as it was meant")
    func dialects() async throws {
        try await World.with { world in
            let bus = try await world.startBus()
            try await world.register("anna", device: "d1", token: "aa", at: bus)
            for (number, dialect) in Self.dialects.enumerated() {
                let answer = try await Self.send(dialect, id: "n\(number)", to: bus.port)
                #expect(answer.status == 200, "\(dialect.testDescription): \(answer.text)")
                #expect(answer.text.contains("<status>OK</status>"), "\(dialect.testDescription)")
                let version = dialect.text.contains(Self.soap12) ? Self.soap12 : Self.soap11
                #expect(answer.text.contains("\"\(version)\""), "\(dialect.testDescription)")
                _ = try await world.status(of: "n\(number)", at: bus, becomes: "SENT")
            }
            let texts = try world.sandbox.apns.records().map { record in
                try JSONValue(parsing: record.body)["aps"]?["alert"]?["body"]?.string
            }
            #expect(texts == Self.dialects.map { _ in Self.message })
            #expect(bus.terminate() == 0)
        }
    }

    private static func send(_ dialect: Dialect, id: String, to port: UInt16) async throws -> RawCaller.Answer {
        let text = dialect.text.replacingOccurrences(of: ">ID<", with: ">\(id)<")
        let body = Array(try #require(text.data(using: dialect.encoding), "\(dialect.testDescription)"))
        let length = dialect.framing == .chunks ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
        let lines = ["POST \(World.soapPath) HTTP/1.1", "Host: 127.0.0.1", "Connection: close", length]
        let head = (lines + ["Content-Type: \(dialect.type)"] + dialect.headers + ["", ""]).joined(separator: "\r\n")
        return try await RawCaller.call(port: port) { caller in
            guard caller.write(head.utf8) else { return }
            switch dialect.framing {
            case .length: _ = caller.write(body)
            case .afterContinue: _ = caller.mayContinue() && caller.write(body)
            case .chunks:
                // Chunks end in the middle of letters and of markup.
                for start in stride(from: 0, to: body.count, by: 7) {
                    guard caller.writeChunk(body[start..<min(start + 7, body.count)]) else { return }
                }
                _ = caller.writeChunk([])
            }
        }
    }
}
