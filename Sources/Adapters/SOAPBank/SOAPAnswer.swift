// SPDX-License-Identifier: Apache-2.0

import Bus
import XML

/// Puts the bus's reply into SOAP.
struct SOAPAnswer {
    let version: SOAPVersion
    /// What the request's WS-Addressing headers said; the answer has such headers then.
    var addressing: Addressing?

    /// The answer to a request that was handed in.
    func response(to operation: Operation, _ reply: Reply) -> HTTPResponse {
        switch reply {
        case .refused(let refusal): return response(.client(refusal.message))
        case .overloaded(let seconds):
            return response(
                SOAPFault(code: .server, message: "overloaded, try again later", retryAfter: max(seconds, 1))
            )
        case .unavailable(let reason): return response(SOAPFault(code: .server, message: reason))
        case .unauthorized: return response(.client("not authorized"))
        default: return result(of: operation, reply)
        }
    }

    /// A fault.
    func response(_ fault: SOAPFault) -> HTTPResponse {
        var writer = begin()
        if let addressing {
            let action = addressing.version.faultAction(isAboutAddressing: fault.addressing != nil)
            let detail = version == .v11 ? fault.addressing : nil
            addressing.write(to: &writer, action: action, faultDetail: detail)
        }
        writer.markup("<soap:Body>")
        fault.write(to: &writer, in: version)
        var response = end(&writer, status: fault.status(in: version))
        if let seconds = fault.retryAfter { response.headers = [("Retry-After", String(seconds))] }
        return response
    }

    private func result(of operation: Operation, _ reply: Reply) -> HTTPResponse {
        if addressing?.wantsNoAnswer == true { return HTTPResponse(status: 202) }
        var writer = begin()
        addressing?.write(to: &writer, action: "\(operation.action)Response")
        writer.markup("<soap:Body><ns2:")
        writer.markup(operation.name)
        writer.markup("Response xmlns:ns2=\"")
        writer.markup(Operation.namespace)
        writer.markup("\"><return>")
        ResultWriter.write(reply, to: operation, &writer)
        writer.markup("</return></ns2:")
        writer.markup(operation.name)
        writer.markup("Response>")
        return end(&writer, status: 200)
    }

    private func begin() -> XMLWriter {
        var writer = XMLWriter()
        writer.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap:Envelope xmlns:soap=\"")
        writer.markup(version.namespace)
        writer.markup("\">")
        return writer
    }

    private func end(_ writer: inout XMLWriter, status: Int) -> HTTPResponse {
        writer.markup("</soap:Body></soap:Envelope>")
        return HTTPResponse(status: status, contentType: version.contentType, body: writer.bytes)
    }
}
