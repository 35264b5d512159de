// SPDX-License-Identifier: Apache-2.0

public import Bus
import CertificateFiles

/// A small file that a channel's settings name: a key, a certificate, an authority.
public enum ProviderFile {
    /// A file that was fine at the check, and is not any more.
    public struct LoadError: Error, CustomStringConvertible {
        /// What is wrong, for operators.
        public let description: String

        /// Says what is wrong.
        public init(_ description: String) { self.description = description }
    }

    /// Reads a file when the channel is made.
    public static func read(_ path: FilePath) throws(LoadError) -> [UInt8] {
        do throws(SmallFile.ReadError) { return withoutMark(try SmallFile.read(path.resolved, atMost: 1 << 20)) } catch
        {
            throw LoadError("\(path.written) cannot be read: \(error.reason)")
        }
    }

    /// Reads a file with a secret at the check; `nil` where it cannot be read, which is reported under `key`.
    public static func read(_ path: FilePath, _ key: String, _ check: inout ModuleCheck) -> [UInt8]? {
        check.read(path, key, isSecret: true).map(withoutMark)
    }

    /// The bytes without the mark (U+FEFF) that some editors put before UTF-8: neither JSON nor PEM knows it.
    private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// Checks that the file of `ca` holds certificates that are valid now.
    public static func checkAuthority(_ ca: FilePath?, _ check: inout ModuleCheck) {
        AuthorityFile.check(ca, &check)
    }
}
