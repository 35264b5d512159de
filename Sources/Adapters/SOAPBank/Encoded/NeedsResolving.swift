// SPDX-License-Identifier: Apache-2.0

import XML

/// A request in SOAP's own encoding (SOAP 1.1 §5, SOAP 1.2 part 2 §3).
///
/// Parts of it stand elsewhere in the Body, or in a map of a scripting language. Nearly no caller writes so; the reader of the others stops when it meets it.
struct NeedsResolving: Error {}

/// The marks of SOAP's encoding.
enum SOAPEncoding {
    static let namespace12: StaticString = "http://www.w3.org/2003/05/soap-encoding"
    static let instance: StaticString = "http://www.w3.org/2001/XMLSchema-instance"

    /// Whether an element's content stands in another element of the Body.
    static func isReference(_ attributes: XMLAttributes) -> Bool {
        attributes.value("href")?.first == UInt8(ascii: "#")
            || attributes.value("ref", namespace: namespace12) != nil
    }

    /// Whether the name of a type, with a prefix that means nothing here, is Apache's or PHP's map.
    static func isMap(_ type: some Collection<UInt8>) -> Bool {
        type.split(separator: UInt8(ascii: ":")).last?.elementsEqual("Map".utf8) == true
    }
}

extension Place {
    /// Whether what begins here has to be put together first.
    func needsResolving(_ attributes: XMLAttributes) -> Bool {
        switch self {
        case .document, .envelope, .header, .body: return false
        case .notification, .content, .amount:
            let type = attributes.value("type", namespace: SOAPEncoding.instance)
            return type.map(SOAPEncoding.isMap) == true || SOAPEncoding.isReference(attributes)
        case .operation, .contentDetails, .details, .entry, .tag, .field, .list:
            return SOAPEncoding.isReference(attributes)
        }
    }
}
