// SPDX-License-Identifier: Apache-2.0

import SOAPBank
import Testing
import XML

@Suite("The WSDL a bank implements")
struct OutboundWSDLTests {
    @Test("is well-formed, and names every call and field of the original documentation")
    func content() throws {
        final class Names: XMLHandler {
            var open: [String] = []
            var fields: [String: [String]] = [:]
            private var type = ""
            func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
                let local = String(decoding: name.local, as: UTF8.self)
                let named = attributes.value("name").map { String(decoding: $0, as: UTF8.self) } ?? ""
                if local == "complexType" { type = named }
                if local == "element", open.last == "sequence" { fields[type, default: []].append(named) }
                open.append(local)
            }
            func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
            func endElement() { open.removeLast() }
        }
        let text = SOAPBankLink.outboundWSDL(address: "http://bank/s?a&b")
        let names = Names()
        try XMLParser().parse(Array(text.utf8), handler: names)
        let subject = ["bankClientId", "userId", "deviceId"]
        #expect(names.fields["checkSubscriptionAuthorized"] == subject + ["platform"])
        #expect(names.fields["authorizeSubscription"] == subject + ["platform"])
        #expect(names.fields["verifySubscriptionAuthorization"] == subject + ["verificationCode"])
        for call in ["reportNotificationExpired", "pushIsOpened", "pushIsDelivered", "reportNotificationFailed"] {
            #expect(names.fields[call] == ["userId", "notificationId"])
        }
        #expect(names.fields["authorizedResult"] == ["authorized"])
        #expect(names.fields["authorizationResult"] == ["result"])
        #expect(names.fields["verificationResult"] == ["result"])
        #expect(text.contains("targetNamespace=\"http://outbound.sbi.pigeon.idamobile.com/\""))
        #expect(text.contains("location=\"http://bank/s?a&amp;b\""))
    }
}
