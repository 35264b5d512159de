// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// Folders that the bus makes for what it writes.
public enum Folder {
    /// A folder could not be made.
    public struct MakeError: Error, Sendable, CustomStringConvertible {
        /// Which, and why in the system's words.
        public let description: String
    }

    /// Makes a folder and those above it, where they are missing; blocks.
    ///
    /// - Throws: ``MakeError``.
    public static func make(_ path: String, mode: mode_t = 0o755) throws(MakeError) {
        if mkdir(path, mode) == 0 || errno == EEXIST { return }
        if errno == ENOENT, let parent = parent(of: path) {
            try make(parent, mode: mode)
            if mkdir(path, mode) == 0 || errno == EEXIST { return }
        }
        throw MakeError(description: "cannot make the folder \(path): \(String(cString: strerror(errno)))")
    }

    /// The folder a path lies in; `nil` where it names none.
    public static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
        return String(path[..<slash])
    }
}
