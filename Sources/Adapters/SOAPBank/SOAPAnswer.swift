// SPDX-License-Identifier: Apache-2.0

import Bus
import XML

/// Puts the bus's reply into SOAP.
struct SOAPAnswer {
    let version: SOAPVersion

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
        fault.write(to: &writer, in: version)
        var response = end(&writer, status: fault.status(in: version))
        if let seconds = fault.retryAfter { response.headers = [("Retry-After", String(seconds))] }
        return response
    }

    private func result(of operation: Operation, _ reply: Reply) -> HTTPResponse {
        var writer = begin()
        writer.markup("<ns2:")
        writer.markup(operation.name)
        writer.markup("Response xmlns:ns2=\"")
        writer.markup(Operation.namespace)
        writer.markup("\"><return>")
        ResultWriter.write(reply, to: &writer)
        writer.markup("</return></ns2:")
        writer.markup(operation.name)
        writer.markup("Response>")
        return end(&writer, status: 200)
    }

    private func begin() -> XMLWriter {
        var writer = XMLWriter()
        writer.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap:Envelope xmlns:soap=\"")
        writer.markup(version.namespace)
        writer.markup("\"><soap:Body>")
        return writer
    }

    private func end(_ writer: inout XMLWriter, status: Int) -> HTTPResponse {
        writer.markup("</soap:Body></soap:Envelope>")
        return HTTPResponse(status: status, contentType: version.contentType, body: writer.bytes)
    }
}
