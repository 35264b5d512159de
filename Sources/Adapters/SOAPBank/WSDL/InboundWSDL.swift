// SPDX-License-Identifier: Apache-2.0

import Bus

/// The service's description, with the address that the one who asks for it has used.
enum InboundWSDL {
    /// The answer to a GET: the WSDL for `?wsdl`, else where to find it.
    static func page(_ request: HTTPRequest) -> HTTPResponse {
        let query = request.query.lowercased()
        guard query.hasPrefix("wsdl") || query.hasPrefix("singlewsdl") else {
            return HTTPResponse(
                status: 200,
                text: "SBIInboundWebService: POST SOAP here; the WSDL is at \(request.path)?wsdl"
            )
        }
        let body = Array(text(address: address(of: request)).utf8)
        return HTTPResponse(status: 200, contentType: "text/xml; charset=utf-8", body: body)
    }

    /// The WSDL of a service that is called at this address.
    static func text(address: String) -> String { WSDLWriter.text(of: .inbound, address: address) }

    /// Where the client sees the service: a proxy in front says so in `X-Forwarded-…`.
    static func address(of request: HTTPRequest) -> String {
        let scheme = first(request.headers["X-Forwarded-Proto"])?.lowercased()
        let isSecure = scheme == "https" || scheme != "http" && request.peer.isTLS
        let named = [first(request.headers["X-Forwarded-Host"]), request.headers["Host"]].compactMap { $0 }
        let host = named.first(where: isHost) ?? "localhost"
        return "\(isSecure ? "https" : "http")://\(host)\(request.path)"
    }

    private static func first(_ list: String?) -> String? {
        list?.split(separator: ",").first.map { $0.filter { $0 != " " } }
    }

    private static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: ".-_:[]".utf8.contains(byte)
                }
            }
    }
}
