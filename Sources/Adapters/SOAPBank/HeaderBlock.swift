// SPDX-License-Identifier: Apache-2.0

import XML

/// The rules for headers that we do not process (SOAP 1.1 §4.2, SOAP 1.2 part 1 §2.4).
enum HeaderBlock {
    /// Whether the header must be understood, and by us.
    static func isDemanded(_ attributes: XMLAttributes, _ version: SOAPVersion) -> Bool {
        guard attributes.count > 0, let demand = attributes.value("mustUnderstand", namespace: version.namespace),
            demand.isEqual(to: "1") || demand.isEqual(to: "true")
        else { return false }
        return version == .v11 ? isForUs11(attributes) : isForUs12(attributes)
    }

    /// WS-Addressing: its headers name the operation and the address, which the request itself does as well.
    static func isHarmless(_ name: XMLName) -> Bool {
        name.isIn("http://www.w3.org/2005/08/addressing")
            || name.isIn("http://schemas.xmlsoap.org/ws/2004/08/addressing")
    }

    private static func isForUs11(_ attributes: XMLAttributes) -> Bool {
        guard let actor = attributes.value("actor", namespace: SOAPVersion.namespace11), !actor.isEmpty else {
            return true
        }
        return actor.isEqual(to: "http://schemas.xmlsoap.org/soap/actor/next")
    }

    private static func isForUs12(_ attributes: XMLAttributes) -> Bool {
        guard let role = attributes.value("role", namespace: SOAPVersion.namespace12), !role.isEmpty else {
            return true
        }
        return role.isEqual(to: "http://www.w3.org/2003/05/soap-envelope/role/next")
            || role.isEqual(to: "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver")
    }
}
