// SPDX-License-Identifier: Apache-2.0

import XML

/// The `<Environment …>` entries of a Tomcat `server.xml`.
struct TomcatEnvironment {
    private(set) var values: [String: String] = [:]

    /// Reads a file's bytes.
    ///
    /// - Throws: ``XMLError`` with the place.
    init(_ bytes: [UInt8]) throws {
        let reader = Reader()
        try XMLParser(limits: XMLLimits(), trustsDeclaration: true).parse(bytes, handler: reader)
        values = reader.values
    }

    private final class Reader: XMLHandler {
        var values: [String: String] = [:]

        func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
            guard name.isLocal("Environment"), let key = attributes.value("name") else { return }
            let value = attributes.value("value").map { String(decoding: $0, as: UTF8.self) } ?? ""
            values[String(decoding: key, as: UTF8.self)] = value
        }

        func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
        func endElement() {}
    }
}
