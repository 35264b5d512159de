// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads whole files that are known to be small: configuration, keys, secrets.
public enum SmallFile {
    /// A file could not be read.
    public struct ReadError: Error, Sendable, Equatable {
        /// Why, in the system's words.
        public let reason: String
    }

    /// Returns all bytes of a regular file; blocks the calling thread, but never for a pipe that nobody writes to.
    ///
    /// It may have at most `limit` bytes.
    ///
    /// - Throws: ``ReadError`` where it cannot be opened or read, has more, or is a directory, a pipe or a device.
    public static func read(_ path: String, atMost limit: Int) throws(ReadError) -> [UInt8] {
        // Looked at before it is opened, for opening alone may wait or do something; and again after, for it may be
        // another one by then.
        try check(path, atMost: limit) { stat(path, &$0) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw ReadError(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        try check(path, atMost: limit) { fstat(descriptor, &$0) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ReadError(reason: String(cString: strerror(errno))) }
            if count == 0 { return content }
            content += chunk[..<count]
            guard content.count <= limit else { throw tooLarge(limit) }
        }
    }

    /// Why a path leads to no regular file, in the system's words; `nil` where it does.
    ///
    /// For files that others open, who would wait for a pipe.
    public static func problem(of path: String) -> String? {
        do throws(ReadError) { try check(path, atMost: .max) { stat(path, &$0) } } catch { return error.reason }
        return nil
    }

    /// Whether every user of this machine can read a file: its mode allows it, and so do the folders above it.
    public static func isOpenToAll(_ path: String) -> Bool {
        guard let complete = realpath(path, nil) else { return false }
        defer { free(complete) }
        var rest = Substring(String(cString: complete))
        guard allows(rest, S_IROTH) else { return false }
        while let slash = rest.lastIndex(of: "/") {
            rest = rest[..<slash]
            guard allows(rest.isEmpty ? "/" : rest, S_IXOTH) else { return false }
        }
        return true
    }

    private static func allows(_ path: Substring, _ right: mode_t) -> Bool {
        var facts = stat()
        return stat(String(path), &facts) == 0 && facts.st_mode & right != 0
    }

    private static func check(_ path: String, atMost limit: Int, _ look: (inout stat) -> Int32) throws(ReadError) {
        var facts = stat()
        guard look(&facts) == 0 else { throw ReadError(reason: String(cString: strerror(errno))) }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: if facts.st_size > limit { throw tooLarge(limit) }
        case S_IFDIR: throw ReadError(reason: "it is a directory, not a file")
        case S_IFIFO: throw ReadError(reason: "it is a named pipe, not a regular file")
        case S_IFCHR, S_IFBLK: throw ReadError(reason: "it is a device, not a regular file")
        default: throw ReadError(reason: "it is a socket, not a regular file")
        }
    }

    private static func tooLarge(_ limit: Int) -> ReadError {
        ReadError(reason: "larger than \(ByteCount(limit).settingsText)")
    }
}
