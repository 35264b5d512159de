// SPDX-License-Identifier: Apache-2.0

import Bus
import CMicroHTTPD

extension HTTPResponse {
    /// A refusal for callers of no particular route.
    init(_ refusal: HTTPRefusal) {
        self.init(status: refusal.status, text: refusal.message)
        headers = refusal.headers
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
