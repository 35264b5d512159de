// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The header of a request as libcurl wants it.
final class HeaderLines {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    /// Copies the fields of a request.
    ///
    /// A field that would end its line early is refused: it could smuggle in others.
    init(of request: HTTPClientRequest) throws(HTTPClientError) {
        for field in request.headers {
            guard isToken(field.name), field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
                throw .invalid("a header field has a name or value that HTTP does not allow")
            }
            // For libcurl `Name:` means leaving the field out, and `Name;` an empty value.
            let isEmpty = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            try append(isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // Without these libcurl waits a second for `100 Continue`, and calls any body a form.
        if !request.names("Expect") { try append("Expect:") }
        if !request.names("Content-Type") { try append("Content-Type:") }
    }

    deinit { curl_slist_free_all(first) }

    private func append(_ line: String) throws(HTTPClientError) {
        guard let longer = curl_slist_append(first, line) else { throw .invalid("out of memory") }
        first = longer
    }
}

extension HTTPClientRequest {
    fileprivate func names(_ name: String) -> Bool {
        headers.contains { $0.name.lowercased() == name.lowercased() }
    }
}

/// Whether a text is a token of RFC 9110 (5.6.2): a method or the name of a field.
func isToken(_ text: String) -> Bool {
    !text.isEmpty
        && text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
}
