// SPDX-License-Identifier: Apache-2.0

import Bus
import Foundation
import Testing

/// Files that a configuration names are regular and small, whatever else a path leads to.
@Suite(.timeLimit(.minutes(1)))
struct SmallFileTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "busd-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func reason(_ path: String, atMost limit: Int = 1 << 20) -> String? {
        do throws(SmallFile.ReadError) {
            _ = try SmallFile.read(path, atMost: limit)
            return nil
        } catch { return error.reason }
    }

    @Test("A pipe, a folder, a device and a socket are named, and nobody waits for them")
    func others() throws {
        try withFolder { folder in
            #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
            #expect(reason("\(folder)/pipe") == "it is a named pipe, not a regular file")
            #expect(reason(folder) == "it is a directory, not a file")
            #expect(reason("/dev/zero") == "it is a device, not a regular file")
            #expect(reason("\(folder)/none") == "No such file or directory")
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/link",
                withDestinationPath: "\(folder)/pipe"
            )
            #expect(reason("\(folder)/link") == "it is a named pipe, not a regular file")
        }
    }

    @Test("A file is read whole, or not at all where it is too large")
    func large() throws {
        try withFolder { folder in
            try Data(repeating: 7, count: 100).write(to: URL(filePath: "\(folder)/file"))
            #expect(try SmallFile.read("\(folder)/file", atMost: 100).count == 100)
            #expect(reason("\(folder)/file", atMost: 99) == "larger than 99B")
            // A file without end on disk: its size is known before it is read.
            #expect(truncate("\(folder)/file", 1 << 40) == 0)
            #expect(reason("\(folder)/file") == "larger than 1MiB")
        }
    }

    @Test("Everybody can read a file that its mode and all folders above it open")
    func open() throws {
        try withFolder { folder in
            let file = "\(folder)/file"
            try Data().write(to: URL(filePath: file))
            for (mode, above, isOpen) in [(0o644, 0o755, true), (0o640, 0o755, false), (0o644, 0o700, false)] {
                #expect(chmod(file, mode_t(mode)) == 0)
                #expect(chmod(folder, mode_t(above)) == 0)
                #expect(SmallFile.isOpenToAll(file) == isOpen, "\(mode) below \(above)")
            }
            #expect(!SmallFile.isOpenToAll("\(folder)/none"))
        }
    }
}
