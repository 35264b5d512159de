// SPDX-License-Identifier: Apache-2.0

import Compression

/// The XML document in a request's body, out of its wrappings.
struct RequestDocument {
    /// The document.
    let bytes: [UInt8]
    /// What is said of it.
    let type: MediaType

    /// Unpacks a body of a type, and compressed as `coding` says; what it grows to is at most `limit` bytes.
    init(_ body: [UInt8], _ type: MediaType, _ coding: String?, limit: Int) throws(SOAPFault) {
        if type.isForeign, !type.isPackage {
            throw .unsupported(
                "send SOAP as text/xml or application/soap+xml; this is \(type.isJSON ? "JSON" : "not XML")"
            )
        }
        let body = try Self.decoded(body, coding, limit: limit)
        guard type.isPackage else {
            bytes = body
            self.type = type
            return
        }
        let package = try RequestPackage(body, type)
        bytes = package.envelope
        self.type = package.type
    }

    private static func decoded(_ body: [UInt8], _ coding: String?, limit: Int) throws(SOAPFault) -> [UInt8] {
        if coding == nil, ContentCoding.isGzip(body) {
            throw .unsupported("the body is compressed, and no Content-Encoding says so")
        }
        do throws(ContentCoding.Failure) {
            return try ContentCoding.decode(body, header: coding, limit: limit)
        } catch .unknown {
            throw .unsupported("the body's Content-Encoding is not read here; use gzip or none")
        } catch .tooLarge {
            throw SOAPFault(code: .client, message: "the body is larger than \(limit) bytes", httpStatus: 413)
        } catch {
            throw SOAPFault(code: .client, message: "the body is not the gzip that its Content-Encoding says")
        }
    }
}
