// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The part of a URL that may be shown: `https://bank.example:8443`.
struct Origin: Sendable, CustomStringConvertible {
    private static let longestURL = 8_192

    let description: String

    /// Takes the origin out of a URL, which must be one that the client may call.
    init(of url: String) throws(HTTPClientError) {
        guard url.utf8.count <= Self.longestURL, !url.utf8.contains(0) else {
            throw .invalid("the URL must have at most \(Self.longestURL) bytes and no NUL")
        }
        guard let handle = curl_url() else { throw .invalid("the URL cannot be read: out of memory") }
        defer { curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_DISALLOW_USER | CURLU_NON_SUPPORT_SCHEME)
        switch curl_url_set(handle, CURLUPART_URL, url, flags) {
        case CURLUE_OK: break
        case CURLUE_USER_NOT_ALLOWED:
            throw .invalid("the URL must not hold a user or a password; send them in the header")
        default: throw .invalid("the URL cannot be read; write http://HOST/PATH or https://HOST/PATH")
        }
        let scheme = Self.part(CURLUPART_SCHEME, of: handle, flags: 0)
        guard scheme == "http" || scheme == "https" else {
            throw .invalid("the URL must begin with http:// or https://")
        }
        let host = Self.part(CURLUPART_HOST, of: handle, flags: 0)
        let port = Self.part(CURLUPART_PORT, of: handle, flags: UInt32(CURLU_DEFAULT_PORT))
        description = "\(scheme)://\(host):\(port)"
    }

    private static func part(_ what: CURLUPart, of handle: OpaquePointer, flags: UInt32) -> String {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, what, &text, flags) == CURLUE_OK, let text else { return "" }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
