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
    }

    var code: Code
    var message: String
    /// Seconds after which a repetition makes sense; the answer is HTTP 503 then.
    var retryAfter: Int?

    static func client(_ message: String) -> SOAPFault { SOAPFault(code: .client, message: message) }

    /// The HTTP status that the version's binding asks for.
    func status(in version: SOAPVersion) -> Int {
        if retryAfter != nil { return 503 }
        switch (version, code) {
        case (.v12, .client), (.v12, .failedAuthentication): return 400
        default: return 500
        }
    }

    func write(to writer: inout XMLWriter, in version: SOAPVersion) {
        version == .v11 ? write11(to: &writer) : write12(to: &writer)
    }

    private func write11(to writer: inout XMLWriter) {
        writer.markup("<soap:Fault><faultcode")
        switch code {
        case .client: writer.markup(">soap:Client")
        case .server: writer.markup(">soap:Server")
        case .versionMismatch: writer.markup(">soap:VersionMismatch")
        case .mustUnderstand: writer.markup(">soap:MustUnderstand")
        case .failedAuthentication:
            writer.markup(" xmlns:wsse=\"")
            writer.markup(UsernameToken.namespace)
            writer.markup("\">wsse:FailedAuthentication")
        }
        writer.markup("</faultcode>")
        writer.element("faultstring", message)
        writer.markup("</soap:Fault>")
    }

    private func write12(to writer: inout XMLWriter) {
        writer.markup("<soap:Fault><soap:Code><soap:Value>")
        switch code {
        case .client: writer.markup("soap:Sender</soap:Value>")
        case .server: writer.markup("soap:Receiver</soap:Value>")
        case .versionMismatch: writer.markup("soap:VersionMismatch</soap:Value>")
        case .mustUnderstand: writer.markup("soap:MustUnderstand</soap:Value>")
        case .failedAuthentication:
            writer.markup("soap:Sender</soap:Value><soap:Subcode><soap:Value xmlns:wsse=\"")
            writer.markup(UsernameToken.namespace)
            writer.markup("\">wsse:FailedAuthentication</soap:Value></soap:Subcode>")
        }
        writer.markup("</soap:Code><soap:Reason><soap:Text xml:lang=\"en\">")
        writer.text(message)
        writer.markup("</soap:Text></soap:Reason></soap:Fault>")
    }
}
