// SPDX-License-Identifier: Apache-2.0

import Bus
import Files
import Glibc

/// The folder that the sandbox leaves its keys and its address book in.
struct SandboxFiles {
    let path: String

    init(_ path: String) throws(SandboxError) {
        self.path = path
        do { try Folder.make(path) } catch { throw SandboxError(error.description) }
    }

    func place(_ name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    /// The text of a file; `nil` where there is none.
    func read(_ name: String) -> String? {
        guard let bytes = try? SmallFile.read(place(name), atMost: 1 << 16) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Writes a whole file under another name first, so that no reader sees half of it.
    func write(_ text: String, to name: String, isSecret: Bool = false) throws(SandboxError) {
        let draft = place(".\(name).new")
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, isSecret ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw failure(name) }
        let isWritten = Self.write(Array(text.utf8), to: descriptor)
        guard close(descriptor) == 0, isWritten, rename(draft, place(name)) == 0 else { throw failure(name) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func failure(_ name: String) -> SandboxError {
        SandboxError("cannot write \(place(name)): \(String(cString: strerror(errno)))")
    }
}
