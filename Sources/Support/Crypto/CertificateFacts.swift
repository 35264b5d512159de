// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Glibc

/// What a certificate says about itself.
public struct CertificateFacts: Sendable, Equatable {
    /// The first second of its validity, in seconds since 1970.
    public let notBefore: Int64
    /// The last second of its validity, in seconds since 1970.
    public let notAfter: Int64
    /// The subject's common name.
    public let name: String?
    /// The subject's UID (0.9.2342.19200300.100.1.1), which is the bundle id in Apple's push certificates.
    public let userID: String?
    /// The DER value of each extension, by its object identifier in numbers.
    public let extensions: [String: [UInt8]]

    init(_ certificate: OpaquePointer) {
        notBefore = Self.seconds(X509_get0_notBefore(certificate)) ?? .min
        notAfter = Self.seconds(X509_get0_notAfter(certificate)) ?? .max
        name = Self.text(X509_get_subject_name(certificate), NID_commonName)
        userID = Self.text(X509_get_subject_name(certificate), NID_userId)
        var found: [String: [UInt8]] = [:]
        for index in 0..<X509_get_ext_count(certificate) {
            let item = X509_get_ext(certificate, index)
            guard let name = Self.name(X509_EXTENSION_get_object(item)), let value = X509_EXTENSION_get_data(item)
            else {
                continue
            }
            found[name] = Self.bytes(value)
        }
        extensions = found
    }

    private static func seconds(_ value: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var time = tm()
        return ASN1_TIME_to_tm(value, &time) == 1 ? Int64(timegm(&time)) : nil
    }

    private static func text(_ subject: OpaquePointer?, _ kind: Int32) -> String? {
        let place = X509_NAME_get_index_by_NID(subject, kind, -1)
        guard place >= 0, let value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, place)) else { return nil }
        return String(decoding: bytes(value), as: UTF8.self)
    }

    private static func name(_ object: OpaquePointer?) -> String? {
        var text = [CChar](repeating: 0, count: 128)
        let length = Int(OBJ_obj2txt(&text, Int32(text.count), object, 1))
        guard length > 0, length < text.count else { return nil }
        return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func bytes(_ value: UnsafePointer<ASN1_STRING>) -> [UInt8] {
        Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value))))
    }
}
