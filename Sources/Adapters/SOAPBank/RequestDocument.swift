// SPDX-License-Identifier: Apache-2.0

import Bus
import Compression

/// The XML document in a request's body, out of its wrappings.
struct RequestDocument {
    /// The document.
    let bytes: [UInt8]
    /// What is said of it.
    let type: MediaType

    /// Unpacks a request whose header says `type`; what it grows to is at most `limit` bytes.
    init(_ request: HTTPRequest, _ type: MediaType, limit: Int) throws(SOAPFault) {
        if type.isForeign, !type.isPackage {
            throw .unsupported(
                "send SOAP as text/xml or application/soap+xml; this is \(type.isJSON ? "JSON" : "not XML")"
            )
        }
        let body = try Self.decoded(request, limit: limit)
        guard type.isPackage else {
            bytes = body
            self.type = type
            return
        }
        let package = try RequestPackage(body, type)
        bytes = package.envelope
        self.type = package.type
    }

    private static func decoded(_ request: HTTPRequest, limit: Int) throws(SOAPFault) -> [UInt8] {
        let header = request.headers["Content-Encoding"]
        if header == nil, ContentCoding.isGzip(request.body) {
            throw .unsupported("the body is compressed, and no Content-Encoding says so")
        }
        do throws(ContentCoding.Failure) {
            return try ContentCoding.decode(request.body, header: header, limit: limit)
        } catch .unknown {
            throw .unsupported("the body's Content-Encoding is not read here; use gzip or none")
        } catch .tooLarge {
            throw SOAPFault(code: .client, message: "the body is larger than \(limit) bytes", httpStatus: 413)
        } catch {
            throw SOAPFault(code: .client, message: "the body is not the gzip that its Content-Encoding says")
        }
    }
}
