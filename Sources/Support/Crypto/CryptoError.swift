// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// Why a key, a signature or a certificate could not be made or read.
///
/// The sentence never holds key material or any other part of the input.
public struct CryptoError: Error, CustomStringConvertible, Equatable {
    /// One sentence for people.
    public let description: String

    init(_ description: String) { self.description = description }

    /// The error after a failed OpenSSL call; empties this thread's error queue, which later calls would misread.
    static func openSSL(_ what: String) -> CryptoError {
        ERR_clear_error()
        return CryptoError(what)
    }
}
