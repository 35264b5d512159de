// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// Text that OpenSSL writes.
enum PEM {
    static func write(_ what: String, _ body: (OpaquePointer) -> Int32) throws(CryptoError) -> String {
        guard let bio = BIO_new(BIO_s_mem()) else { throw CryptoError("no memory to write \(what)") }
        defer { BIO_free(bio) }
        var start: UnsafeMutablePointer<CChar>?
        guard body(bio) == 1, case let length = busd_bio_content(bio, &start), length > 0, let start else {
            throw .openSSL("OpenSSL could not write \(what)")
        }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }
}
