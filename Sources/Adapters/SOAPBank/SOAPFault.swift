// SPDX-License-Identifier: Apache-2.0

import XML

/// Why a request gets a fault instead of a result.
///
/// The message never quotes what the request held.
struct SOAPFault: Error, Equatable {
    enum Code: Equatable {
        /// The request is at fault; Sender in 1.2.
        case client
        /// We are; Receiver in 1.2.
        case server
        case versionMismatch
        case mustUnderstand
        /// WS-Security 1.0, `wsse:FailedAuthentication`.
        case failedAuthentication
        /// WS-Security 1.1, `wsse:MessageExpired`.
        case messageExpired
        /// WS-Security 1.0, `wsse:InvalidSecurity`.
        case invalidSecurity
        /// The headers of WS-Addressing.
        case addressing(AddressingFault, Addressing.Version)
    }

    var code: Code
    var message: String
    /// The HTTP status where it is another than the binding's: the envelope was not looked at.
    var httpStatus: Int?
    /// Seconds after which a repetition makes sense; the answer is HTTP 503 then.
    var retryAfter: Int?

    static func client(_ message: String) -> SOAPFault { SOAPFault(code: .client, message: message) }

    /// What the caller sent is no SOAP that is read here.
    static func unsupported(_ message: String) -> SOAPFault {
        SOAPFault(code: .client, message: message, httpStatus: 415)
    }

    /// The HTTP status that the version's binding asks for.
    func status(in version: SOAPVersion) -> Int {
        if let httpStatus { return httpStatus }
        if retryAfter != nil { return 503 }
        switch code {
        case .server, .versionMismatch, .mustUnderstand: return 500
        case .client, .failedAuthentication, .messageExpired, .invalidSecurity, .addressing:
            return version == .v12 ? 400 : 500
        }
    }

    /// What is wrong with the headers of WS-Addressing, where that is it.
    var addressing: AddressingFault? { if case .addressing(let fault, _) = code { fault } else { nil } }

    func write(to writer: inout XMLWriter, in version: SOAPVersion) {
        version == .v11 ? write11(to: &writer) : write12(to: &writer)
    }

    private func write11(to writer: inout XMLWriter) {
        writer.markup("<soap:Fault><faultcode")
        if let details = code.details, let name = details.names.last {
            writer.markup(" xmlns:")
            details.writeQualified(name, to: &writer)
        } else {
            writer.markup(">soap:")
            writer.markup(code.name11)
        }
        writer.markup("</faultcode>")
        writer.element("faultstring", message)
        writer.markup("</soap:Fault>")
    }

    private func write12(to writer: inout XMLWriter) {
        writer.markup("<soap:Fault><soap:Code><soap:Value>soap:")
        writer.markup(code.name12)
        writer.markup("</soap:Value>")
        for name in code.details?.names ?? [] {
            writer.markup("<soap:Subcode><soap:Value xmlns:")
            code.details?.writeQualified(name, to: &writer)
            writer.markup("</soap:Value>")
        }
        for _ in code.details?.names ?? [] { writer.markup("</soap:Subcode>") }
        writer.markup("</soap:Code><soap:Reason><soap:Text xml:lang=\"en\">")
        writer.text(message)
        writer.markup("</soap:Text></soap:Reason>")
        if case .addressing(let fault, let version) = code {
            writer.markup("<soap:Detail xmlns:wsa=\"")
            writer.markup(version.namespace)
            writer.markup("\">")
            fault.writeProblem(to: &writer)
            writer.markup("</soap:Detail>")
        }
        writer.markup("</soap:Fault>")
    }
}
