// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Sets the options of one libcurl handle and remembers the first that was refused.
struct EasyOptions {
    private let handle: UnsafeMutableRawPointer
    private(set) var firstFailure: CURLcode?

    init(_ handle: UnsafeMutableRawPointer) { self.handle = handle }

    mutating func set(_ option: CURLoption, _ text: String) { note(busd_curl_set_text(handle, option, text)) }

    mutating func set(_ option: CURLoption, _ number: some BinaryInteger) {
        note(busd_curl_set_number(handle, option, Int(clamping: number)))
    }

    /// The memory must live as long as the handle.
    mutating func set(_ option: CURLoption, address: UnsafeMutableRawPointer?) {
        note(busd_curl_set_pointer(handle, option, address))
    }

    mutating func set(_ option: CURLoption, blob: [UInt8]) {
        note(busd_curl_set_blob(handle, option, blob, blob.count))
    }

    mutating func set(_ option: CURLoption, _ receive: @escaping curl_write_callback) {
        note(busd_curl_set_receiver(handle, option, receive))
    }

    /// What no request of ours may do, whatever the far end says.
    mutating func setLimits() {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    }

    /// Sets the method; `body` must live as long as the handle.
    mutating func setMethod(_ method: String, body: UnsafeMutableRawBufferPointer) {
        if method == "HEAD" { return set(CURLOPT_NOBODY, 1) }
        if body.count > 0 || ["POST", "PUT", "PATCH"].contains(method) {
            set(CURLOPT_POST, 1)
            note(busd_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
            set(CURLOPT_POSTFIELDS, address: body.baseAddress)
        }
        set(CURLOPT_CUSTOMREQUEST, method)
    }

    /// Whom to trust and who to be.
    mutating func setTrust(_ configuration: HTTPClientConfiguration) {
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        if !configuration.usesEnvironmentProxy { set(CURLOPT_PROXY, "") }
        // It takes the place of the system's file of roots, not of the system's folder of the same roots.
        if !configuration.extraRoots.isEmpty { set(CURLOPT_CAINFO_BLOB, blob: configuration.extraRoots) }
        guard let identity = configuration.identity else { return }
        set(CURLOPT_SSLCERTTYPE, "PEM")
        set(CURLOPT_SSLCERT_BLOB, blob: identity.certificate)
        set(CURLOPT_SSLKEYTYPE, "PEM")
        set(CURLOPT_SSLKEY_BLOB, blob: identity.key)
    }

    private mutating func note(_ result: CURLcode) {
        if result != CURLE_OK, firstFailure == nil { firstFailure = result }
    }
}
