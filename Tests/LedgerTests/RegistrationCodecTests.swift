// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Testing

struct RegistrationCodecTests {
    private static let samples: [Registration] = {
        var user = Recipient("Анна")
        user.id = "анна"
        let bare = Registration(app: "a", user: user, deviceID: "d", platform: .android, token: "t:1")
        var full = bare
        full.platform = .ios
        full.bankClientID = "42"
        full.appVersion = "1"
        full.osVersion = ""
        full.language = "ru"
        full.phone = "+7"
        full.tags = ["vip", ""]
        full.authorization = .smsCode
        full.endsOtherDevices = true
        return [bare, full]
    }()

    @Test("A registration comes back as it was", arguments: samples)
    func roundTrip(registration: Registration) throws {
        #expect(try RegistrationCodec.decode(RegistrationCodec.encode(registration)) == registration)
    }

    @Test("Who asked is not kept")
    func credential() throws {
        var registration = Self.samples[0]
        registration.credential = .secret("hush")
        #expect(try RegistrationCodec.decode(RegistrationCodec.encode(registration)).credential == .none)
    }

    @Test("Bytes cut short, or with something behind them, are damage", arguments: samples)
    func damage(registration: Registration) {
        let bytes = RegistrationCodec.encode(registration)
        for count in 0..<bytes.count {
            #expect(throws: DamagedBytes.self) { try RegistrationCodec.decode(Array(bytes[..<count])) }
        }
        #expect(throws: DamagedBytes.self) { try RegistrationCodec.decode(bytes + [0]) }
    }
}
