// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SMSGateway

@Suite struct TextMessageTests {
    private func message(_ text: String) throws -> TextMessage {
        TextMessage(text, to: try #require(PhoneNumber("+79161234567", country: nil)))
    }

    @Test(
        "Septets are counted as an SMSC cuts them",
        arguments: [
            ("a", 1), (String(repeating: "A", count: 160), 1), (String(repeating: "A", count: 161), 2),
            (String(repeating: "A", count: 306), 2), (String(repeating: "A", count: 307), 3),
            // The euro sign takes two.
            (String(repeating: "A", count: 158) + "€", 1), (String(repeating: "A", count: 159) + "€", 2),
            (String(repeating: "A", count: 152) + "€" + String(repeating: "B", count: 20), 2),
            // An escape at the end of a part goes to the next, with what it escapes: 152, 153 and one more.
            (String(repeating: "A", count: 152) + "€" + String(repeating: "B", count: 152), 3),
            (String(repeating: "A", count: 151) + "€" + String(repeating: "B", count: 153), 2),
            (String(repeating: "[", count: 80), 1), (String(repeating: "[", count: 81), 2),
            // 76 pairs fill 152 of 153.
            (String(repeating: "[", count: 152), 2), (String(repeating: "[", count: 153), 3),
            ("line\r\nbreak", 1),
        ]
    )
    func septets(_ text: String, _ parts: Int) throws {
        let message = try message(text)
        #expect(message.alphabet == .gsm)
        #expect(message.parts == parts)
    }

    @Test(
        "What the alphabet does not have is counted in UCS-2, without cutting what people see as one",
        arguments: [
            ("ж", 1), (String(repeating: "Ж", count: 70), 1), (String(repeating: "Ж", count: 71), 2),
            (String(repeating: "Ж", count: 134), 2), (String(repeating: "Ж", count: 135), 3),
            (String(repeating: "A", count: 70) + "`", 2),
            (String(repeating: "😀", count: 35), 1), (String(repeating: "😀", count: 40), 2),
            // 33 pairs fill 66 of 67.
            (String(repeating: "😀", count: 66), 2), (String(repeating: "😀", count: 67), 3),
            // A pair of surrogates at the end of a part goes to the next: 66, 67 and one more.
            (String(repeating: "Ж", count: 66) + "😀" + String(repeating: "Ж", count: 66), 3),
            (String(repeating: "Ж", count: 65) + "😀" + String(repeating: "Ж", count: 67), 2),
            // A family takes eleven units.
            (String(repeating: "Ж", count: 60) + "👨‍👩‍👧‍👦" + String(repeating: "Ж", count: 57), 3),
            // One character of 201 units has to be cut after all.
            ("a" + String(repeating: "\u{301}", count: 200), 3),
            ("«код»", 1), ("it’s", 1), ("façade", 1), ("a\u{301}", 1), ("№5", 1),
        ]
    )
    func units(_ text: String, _ parts: Int) throws {
        let message = try message(text)
        #expect(message.alphabet == .ucs2)
        #expect(message.parts == parts)
    }

    @Test("The alphabet has 127 characters and ten behind the escape")
    func alphabet() {
        #expect(GSMAlphabet.basic.count == 128)
        #expect(Set(GSMAlphabet.basic).count == 128)
        #expect(GSMAlphabet.septets(of: "\u{1B}") == nil)
        #expect(GSMAlphabet.basic.count { GSMAlphabet.septets(of: $0) == 1 } == 127)
        #expect(GSMAlphabet.extended.allSatisfy { GSMAlphabet.septets(of: $0.scalar) == 2 })
        // Places that are easily taken for ASCII's.
        #expect(GSMAlphabet.basic[0x00] == "@" && GSMAlphabet.basic[0x02] == "$" && GSMAlphabet.basic[0x11] == "_")
        #expect(GSMAlphabet.basic[0x24] == "¤" && GSMAlphabet.basic[0x5F] == "§" && GSMAlphabet.basic[0x40] == "¡")
    }
}
