// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD

extension HTTPResponse {
    /// The answer to what is running, or comes, while the server stops.
    static var stopping: HTTPResponse {
        var response = HTTPResponse(status: 503, text: "shutting down")
        response.headers = [("Retry-After", "5")]
        return response
    }

    /// The answer where the bodies of other requests have taken all memory there is for them.
    static var overloaded: HTTPResponse {
        var response = HTTPResponse(status: 503, text: "overloaded")
        response.headers = [("Retry-After", "1")]
        return response
    }

    /// The answer to a body whose end could be seen in two places.
    static var ambiguousLength: HTTPResponse {
        HTTPResponse(status: 400, text: "the length of the body is ambiguous")
    }

    /// The answer to a body above the route's limit.
    static func tooLarge(_ limit: Int) -> HTTPResponse {
        HTTPResponse(status: 413, text: "the body is larger than \(limit) bytes")
    }

    /// Hands the response to libmicrohttpd, on its thread; `false` where it does not take it.
    func queue(on connection: OpaquePointer, closing: Bool) -> Bool {
        let made = body.withUnsafeBytes { bytes in
            // Copied; libmicrohttpd does not write to it whatever the parameter's type says.
            MHD_create_response_from_buffer(
                bytes.count,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                .RESPMEM_MUST_COPY
            )
        }
        guard let made else { return false }
        defer { MHD_destroy_response(made) }
        if !contentType.isEmpty { MHD_add_response_header(made, "Content-Type", contentType) }
        for header in headers { MHD_add_response_header(made, header.name, header.value) }
        if closing { MHD_add_response_header(made, "Connection", "close") }
        let code = (200...599).contains(status) ? status : 500
        return MHD_queue_response(connection, UInt32(code), made) == .YES
    }
}
