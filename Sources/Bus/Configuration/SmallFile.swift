// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads whole files that are known to be small: configuration, keys, secrets.
public enum SmallFile {
    /// A file could not be read.
    public struct ReadError: Error, Sendable, Equatable {
        /// Why, in the system's words.
        public let reason: String
    }

    /// Returns all bytes of a file; blocks the calling thread.
    ///
    /// It may have at most `limit` bytes, so that a device that never ends is noticed.
    ///
    /// - Throws: ``ReadError`` where it cannot be opened or read, or has more.
    public static func read(_ path: String, atMost limit: Int) throws(ReadError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ReadError(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ReadError(reason: String(cString: strerror(errno))) }
            if count == 0 { return content }
            content += chunk[..<count]
            guard content.count <= limit else {
                throw ReadError(reason: "larger than \(ByteCount(limit).settingsText)")
            }
        }
    }
}
