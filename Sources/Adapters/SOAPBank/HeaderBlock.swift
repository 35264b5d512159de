// SPDX-License-Identifier: Apache-2.0

import XML

/// The rules for headers, whether we process them or not (SOAP 1.1 §4.2, SOAP 1.2 part 1 §2.4).
enum HeaderBlock {
    /// Whether the header must be understood, and by us.
    static func isDemanded(_ attributes: XMLAttributes, _ version: SOAPVersion) -> Bool {
        guard attributes.count > 0, let demand = attributes.value("mustUnderstand", namespace: version.namespace),
            demand.isEqual(to: "1") || demand.isEqual(to: "true")
        else { return false }
        return isForUs(attributes, version)
    }

    /// Whether the header is for us, and not for somebody between the bank and us.
    static func isForUs(_ attributes: XMLAttributes, _ version: SOAPVersion) -> Bool {
        version == .v11 ? isForUs11(attributes) : isForUs12(attributes)
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
