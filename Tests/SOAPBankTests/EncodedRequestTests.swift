// SPDX-License-Identifier: Apache-2.0

import Bus
import TestSupport
import Testing

/// SOAP's own encoding, as Axis, PHP and Perl write it without a WSDL.
@Suite("Requests in SOAP's own encoding")
struct EncodedRequestTests {
    private static let namespaces = """
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" \
        xmlns:enc="http://schemas.xmlsoap.org/soap/encoding/" xmlns:enc12="http://www.w3.org/2003/05/soap-encoding"
        """

    private static let axis = """
        <ns1:sendNotification s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/" xmlns:ns1="\(ourNamespace)">\
        <notification href="#id0"/></ns1:sendNotification>\
        <multiRef id="id0" enc:root="0" xsi:type="ns2:notification" xmlns:ns2="\(ourNamespace)">\
        <details href="#id5"/><id xsi:type="xsd:string">n1</id><pushContent href="#id1"/>\
        <recipients xsi:type="enc:Array" enc:arrayType="xsd:string[3]"><item xsi:type="xsd:string"> u1</item><item href="#id3"/>\
        <item xsi:nil="true"/></recipients><timeout href="#id2"/></multiRef>\
        <multiRef id="id1" enc:root="0"><badge href="#id4"/><text xsi:type="xsd:string">a &amp; b&#13;</text>\
        <type>UNIVERSAL</type></multiRef><multiRef id="id2" xsi:type="xsd:int">1000</multiRef>\
        <multiRef id="id3">u2</multiRef><multiRef id="id4">0</multiRef>\
        <multiRef id="id5"><entry enc:arrayType="x[2]"><entry href="#id6"/><entry><key>b</key><value>2</value></entry></entry>\
        </multiRef><multiRef id="id6"><key>a</key><value>1</value></multiRef>
        """

    private static let php = """
        <ns1:sendNotification xmlns:ns1="\(ourNamespace)"><param0 xsi:type="ns2:Map" xmlns:ns2="http://xml.apache.org/xml-soap">\
        <item><key xsi:type="xsd:string">id</key><value xsi:type="xsd:string">n1</value></item>\
        <item><key xsi:type="xsd:string">recipients</key><value enc:arrayType="xsd:string[2]" xsi:type="enc:Array">\
        <item xsi:type="xsd:string">u1</item><item xsi:type="xsd:string">u2</item></value></item>\
        <item><key>timeout</key><value xsi:type="xsd:int">1000</value></item>\
        <item><key>pushContent</key><value xsi:type="ns2:Map">\
        <item><key>badge</key><value>0</value></item><item><key>text</key><value>a &amp; b&#13;</value></item>\
        <item><key>type</key><value>UNIVERSAL</value></item></value></item>\
        <item><key>details</key><value xsi:type="ns2:Map"><item><key>a</key><value>1</value></item>\
        <item><key>b</key><value>2</value></item></value></item></param0></ns1:sendNotification>
        """

    private static let perl = """
        <sendNotification xmlns="\(ourNamespace)"><c-gensym3><id xsi:type="xsd:string">n1</id>\
        <recipients enc:arrayType="xsd:string[2]" xsi:type="enc:Array"><item>u1</item><item>u2</item></recipients>\
        <timeout>1000</timeout><pushContent><badge>0</badge><text>a &amp; b&#13;</text><type>UNIVERSAL</type></pushContent>\
        <details><item><key>a</key><value>1</value></item><item><key>b</key><value>2</value></item></details>\
        </c-gensym3></sendNotification>
        """

    private static let soap12 = axis.replacing("href=\"#", with: "enc12:ref=\"").replacing(
        " id=\"",
        with: " enc12:id=\""
    )

    /// Whole requests, for other tests to spoil.
    static let samples = [axis, php].map(envelope)

    private static func envelope(_ body: String) -> String {
        "<s:Envelope xmlns:s=\"\(soap11)\" \(namespaces)><s:Body>\(body)</s:Body></s:Envelope>"
    }

    @Test("are understood as they are meant", arguments: [axis, php, perl, soap12])
    func understood(body: String) async throws {
        let bank = try Bank()
        let response = await bank.post(Self.envelope(body))
        #expect(response.status == 200, "\(response.text)")
        let expected = Notification(
            id: "n1",
            recipients: [Recipient("u1"), Recipient("u2")],
            timeout: 1000,
            content: PushContent(badge: 0, text: "a & b\r", type: .universal),
            details: PushDetails(tags: [.init(key: "a", value: "1"), .init(key: "b", value: "2")])
        )
        #expect(try bank.notification() == expected)
    }

    @Test(
        "the other operations are understood as well",
        arguments: [
            (
                "<getDeliveryStatus><id href=\"#a\"/></getDeliveryStatus><multiRef id=\"a\">n</multiRef>",
                Message.query(.deliveryStatus("n"))
            ),
            ("<deleteSubscription><in0>u</in0></deleteSubscription>", .unregistration(.user(Recipient("u")))),
            (
                "<checkSubscriptionExists><user enc:arrayType=\"xsd:string[2]\"><a>u</a><b>v</b></user></checkSubscriptionExists>",
                .query(.subscriptions([Recipient("u"), Recipient("v")]))
            ),
            (
                "<checkSubscriptionExists><enc:Array><item>u</item></enc:Array></checkSubscriptionExists>",
                .query(.subscriptions([Recipient("u")]))
            ),
            ("<getNotificationDetails><param0>n</param0></getNotificationDetails>", .query(.notification("n"))),
        ]
    )
    func operations(body: String, message: Message) async throws {
        let bank = try Bank(reply: .done)
        #expect(await bank.post(Self.envelope(body)).status == 200)
        #expect(bank.intake.messages == [message])
    }

    @Test("a header is read as in any other request")
    func header() async throws {
        let security =
            "<w:Security xmlns:w=\"\(AuthenticationTests.wsse)\" s:mustUnderstand=\"1\"><w:UsernameToken>"
            + "<w:Username>bank</w:Username><w:Password>pass</w:Password></w:UsernameToken></w:Security>"
        let bank = try Bank(options: "auth: { ws_security: { username: bank, password: pass } }")
        let request = Self.envelope(Self.axis).replacing("<s:Body>", with: "<s:Header>\(security)</s:Header><s:Body>")
        #expect(await bank.post(request).status == 200)
        #expect(await bank.post(request.replacing(">pass<", with: ">other<")).status == 500)
        #expect(bank.intake.messages.count == 1)
    }

    /// References that stand for ten times what they are, ten deep.
    private static let bomb: String = {
        let levels = (0..<10).map { level in
            let items = String(repeating: "<item href=\"#i\(level + 1)\"/>", count: 10)
            return "<multiRef id=\"i\(level)\">\(items)</multiRef>"
        }
        let end = "<multiRef id=\"i10\">\(String(repeating: "x", count: 1000))</multiRef>"
        return "<checkSubscriptionExists><user href=\"#i0\"/></checkSubscriptionExists>" + levels.joined() + end
    }()

    private static let chain: String = {
        let links = (0..<200).map { "<multiRef id=\"i\($0)\" href=\"#i\($0 + 1)\"/>" }
        return "<getDeliveryStatus><id href=\"#i0\"/></getDeliveryStatus>" + links.joined()
    }()

    @Test(
        "references that lead nowhere, in circles or without end are refused",
        arguments: [
            ("<getDeliveryStatus><id href=\"#a\"/></getDeliveryStatus>", "a reference in the Body leads nowhere"),
            (
                "<getDeliveryStatus><id href=\"#a\"/></getDeliveryStatus><m id=\"a\" href=\"#a\"/>",
                "the references in the Body go round in a circle"
            ),
            (
                "<checkSubscriptionExists><user href=\"#a\"/></checkSubscriptionExists><m id=\"a\"><u href=\"#a\"/></m>",
                "the references in the Body make it too large or too deep"
            ),
            (chain, "the references in the Body go round in a circle"),
            (bomb, "the references in the Body make it too large or too deep"),
            (
                "<getDeliveryStatus><id href=\"#a\"/></getDeliveryStatus><m id=\"a\">1</m><m id=\"a\">2</m>",
                "two elements have the same id"
            ),
            (
                "<getDeliveryStatus><id href=\"#a\"/></getDeliveryStatus><m id=\"a\">1</m><m id=\"b\">2</m>",
                "the Body has more than one child"
            ),
            (
                "<getDeliveryStatus><id href=\"http://elsewhere/\"/></getDeliveryStatus>", "id is empty"
            ),
        ]
    )
    func refused(body: String, fault: String) async throws {
        let bank = try Bank()
        #expect(await bank.post(Self.envelope(body)).faultString == fault)
        #expect(bank.intake.messages.isEmpty)
    }
}
