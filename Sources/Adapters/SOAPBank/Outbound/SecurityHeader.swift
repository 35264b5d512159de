// SPDX-License-Identifier: Apache-2.0

import Bus
import Crypto
import Threads
import XML

/// The WS-Security UsernameToken that the bus shows to a bank (OASIS UsernameToken Profile 1.0).
struct SecurityHeader {
    private static let utility: StaticString =
        "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"

    let settings: UsernameTokenSettings

    /// Writes the Header of an envelope; every call has a nonce and a time of its own.
    func write(to writer: inout XMLWriter, nonce: [UInt8] = SecureRandom.bytes(16), at seconds: Int) {
        let created = Timestamp.text(seconds: seconds)
        writer.markup("<soap:Header><wsse:Security soap:mustUnderstand=\"1\" xmlns:wsse=\"")
        writer.markup(UsernameToken.namespace)
        writer.markup("\" xmlns:wsu=\"")
        writer.markup(Self.utility)
        writer.markup("\"><wsse:UsernameToken><wsse:Username>")
        writer.text(settings.username)
        writer.markup("</wsse:Username><wsse:Password Type=\"")
        writer.markup("http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#")
        writer.markup(settings.isDigest ? "PasswordDigest\">" : "PasswordText\">")
        writer.text(settings.isDigest ? digest(nonce, created) : settings.password.reveal())
        writer.markup("</wsse:Password><wsse:Nonce EncodingType=\"")
        writer.markup("http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary")
        writer.markup("\">")
        writer.text(Base64.encode(nonce))
        writer.markup("</wsse:Nonce><wsu:Created>")
        writer.text(created)
        writer.markup("</wsu:Created></wsse:UsernameToken></wsse:Security></soap:Header>")
    }

    /// Base64(SHA-1(nonce, time as sent, password)), §3.1 of the profile.
    private func digest(_ nonce: [UInt8], _ created: String) -> String {
        Base64.encode(SHA1.hash(nonce + Array(created.utf8) + Array(settings.password.reveal().utf8)))
    }
}
