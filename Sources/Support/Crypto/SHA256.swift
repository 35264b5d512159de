// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// SHA-256, with a digest that needs no allocation.
public enum SHA256 {
    /// The 32 bytes of a SHA-256, held inline.
    public struct Digest: Hashable, Sendable {
        fileprivate var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        /// The digest as bytes.
        public var bytes: [UInt8] { withBytes(Array.init) }

        /// The digest as 64 lower-case hexadecimal digits.
        public var hex: String { withBytes { Hex.encode($0) } }

        /// Lends the 32 bytes.
        public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            withUnsafeBytes(of: words, body)
        }

        /// Lends the 32 bytes for changing.
        mutating func withMutableBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
            withUnsafeMutableBytes(of: &words, body)
        }

        /// Compares all bytes, as ``hash(into:)`` does.
        public static func == (left: Self, right: Self) -> Bool { left.words == right.words }

        /// Hashes all bytes.
        public func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }
    }

    /// Hashes bytes lent by the caller.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> Digest {
        var digest = Digest()
        let done = withUnsafeMutableBytes(of: &digest.words) { out in
            EVP_Digest(bytes.baseAddress, bytes.count, out.baseAddress, nil, Algorithm.sha256.pointer, nil)
        }
        precondition(done == 1, "SHA-256 of memory fails only without memory")
        return digest
    }

    /// Hashes bytes.
    public static func hash(_ bytes: [UInt8]) -> Digest { bytes.withUnsafeBytes { hash($0) } }

    /// Hashes the UTF-8 of a text.
    public static func hash(_ text: String) -> Digest {
        var text = text
        return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
    }
}

/// A digest algorithm looked up once: a look-up costs several times the hash of a few bytes.
///
/// `@unchecked`: an `EVP_MD` is constant after the look-up and is never freed.
struct Algorithm: @unchecked Sendable {
    static let sha256 = Algorithm("SHA256")
    static let sha1 = Algorithm("SHA1")

    let pointer: OpaquePointer

    private init(_ name: String) {
        guard let found = EVP_MD_fetch(nil, name, nil) else { preconditionFailure("OpenSSL has no \(name)") }
        pointer = found
    }
}
