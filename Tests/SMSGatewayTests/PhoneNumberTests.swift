// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SMSGateway

@Suite struct PhoneNumberTests {
    @Test(
        "Numbers become E.164, however people write them",
        arguments: [
            ("+79161234567", "79161234567"), ("+7 (916) 123-45-67", "79161234567"), ("79161234567", "79161234567"),
            ("0079161234567", "79161234567"), ("+7\u{a0}916\u{2011}123.45.67", "79161234567"),
            (" +44 20 7946 0018 ", "442079460018"), ("+49 (30) 123456", "4930123456"), ("+6834000", "6834000"),
            ("+123456789012345", "123456789012345"),
            // Without a country, no habit is known.
            ("89161234567", "89161234567"), ("9161234567", "9161234567"),
        ]
    )
    func numbers(_ written: String, _ digits: String) {
        #expect(PhoneNumber(written, country: nil)?.digits == digits)
    }

    @Test(
        "Russia's habits count where the country is Russia",
        arguments: [
            ("89161234567", "79161234567"), ("8 (916) 123-45-67", "79161234567"), ("9161234567", "79161234567"),
            ("79161234567", "79161234567"), ("+79161234567", "79161234567"), ("+442079460018", "442079460018"),
            // Marked as international, whatever it begins with.
            ("+89161234567", "89161234567"),
        ]
    )
    func russia(_ written: String, _ digits: String) {
        #expect(PhoneNumber(written, country: .russia)?.digits == digits)
    }

    @Test(
        "What cannot be a number is none",
        arguments: [
            "", "+", "00", "12345", "+123456", "+1234567890123456", "+0123456789", "0916123456", "++79161234567",
            "+7916123456a", "+7916123+4567", "phone", "٧٩١٦١٢٣٤٥٦٧", "79161234567;79161234568", "+7 916 1234567 доб. 5",
            "+79161234567\u{0}", String(repeating: " ", count: 100) + "+79161234567",
        ]
    )
    func notNumbers(_ written: String) {
        #expect(PhoneNumber(written, country: nil) == nil)
        #expect(PhoneNumber(written, country: .russia) == nil)
    }
}
