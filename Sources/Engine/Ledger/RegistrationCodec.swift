// SPDX-License-Identifier: Apache-2.0

package import Bus

/// The stored form of a registration that waits: everything but who asked for it.
///
/// The first byte is the form's version.
package enum RegistrationCodec {
    private static let version: UInt8 = 1

    private struct Flags: OptionSet {
        let rawValue: UInt64
        static let bankClientID = Flags(rawValue: 1)
        static let appVersion = Flags(rawValue: 1 << 1)
        static let osVersion = Flags(rawValue: 1 << 2)
        static let language = Flags(rawValue: 1 << 3)
        static let phone = Flags(rawValue: 1 << 4)
        static let endsOtherDevices = Flags(rawValue: 1 << 5)
        static let all = Flags(rawValue: 1 << 6 - 1)
    }

    // Numbers in files: never renumber.
    private static let platforms: [Platform] = [.android, .ios]
    private static let authorizations: [Authorization] = [.open, .bank, .smsCode]

    /// Returns the stored form.
    package static func encode(_ registration: Registration) -> [UInt8] {
        var writer = CompactWriter(capacity: 256)
        writer.append(UInt64(version))
        writer.append(flags(of: registration).rawValue)
        writer.append(UInt64(platforms.firstIndex(of: registration.platform) ?? 0))
        writer.append(UInt64(authorizations.firstIndex(of: registration.authorization) ?? 0))
        writer.append(registration.app)
        writer.append(registration.user.spelling.text)
        writer.append(registration.user.id.text)
        writer.append(registration.deviceID)
        writer.append(registration.token)
        for text in [
            registration.bankClientID, registration.appVersion, registration.osVersion, registration.language,
            registration.phone,
        ] { if let text { writer.append(text) } }
        writer.append(UInt64(registration.tags.count))
        for tag in registration.tags { writer.append(tag) }
        return writer.bytes
    }

    private static func flags(of registration: Registration) -> Flags {
        var flags: Flags = []
        if registration.bankClientID != nil { flags.insert(.bankClientID) }
        if registration.appVersion != nil { flags.insert(.appVersion) }
        if registration.osVersion != nil { flags.insert(.osVersion) }
        if registration.language != nil { flags.insert(.language) }
        if registration.phone != nil { flags.insert(.phone) }
        if registration.endsOtherDevices { flags.insert(.endsOtherDevices) }
        return flags
    }

    /// Reads the stored form back.
    package static func decode(_ bytes: [UInt8]) throws(DamagedBytes) -> Registration {
        var reader = CompactReader(bytes)
        guard try reader.number() == UInt64(version) else { throw DamagedBytes() }
        let flags = Flags(rawValue: try reader.number())
        guard Flags.all.isSuperset(of: flags) else { throw DamagedBytes() }
        let platform = try element(of: platforms, &reader)
        let authorization = try element(of: authorizations, &reader)
        let app = try reader.text()
        var user = Recipient(RecipientID(try reader.text()))
        user.id = RecipientID(try reader.text())
        var registration = Registration(
            app: app,
            user: user,
            deviceID: try reader.text(),
            platform: platform,
            token: try reader.text()
        )
        registration.authorization = authorization
        registration.endsOtherDevices = flags.contains(.endsOtherDevices)
        if flags.contains(.bankClientID) { registration.bankClientID = try reader.text() }
        if flags.contains(.appVersion) { registration.appVersion = try reader.text() }
        if flags.contains(.osVersion) { registration.osVersion = try reader.text() }
        if flags.contains(.language) { registration.language = try reader.text() }
        if flags.contains(.phone) { registration.phone = try reader.text() }
        for _ in 0..<(try reader.number()) { registration.tags.append(try reader.text()) }
        guard reader.isAtEnd else { throw DamagedBytes() }
        return registration
    }

    private static func element<Element>(
        of list: [Element],
        _ reader: inout CompactReader
    ) throws(DamagedBytes) -> Element {
        let index = try reader.number()
        guard index < UInt64(list.count) else { throw DamagedBytes() }
        return list[Int(index)]
    }
}
