// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A folder that is gone, with all that is in it, when nobody holds it any more.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let url: URL

    /// Makes an empty one, on a disk in memory where that is wanted and there is one.
    public init(inMemory: Bool = false) throws {
        let memory = URL(filePath: "/dev/shm")
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory.path)
        let parent = isThere ? memory : FileManager.default.temporaryDirectory
        url = parent.appending(path: "busd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in it.
    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// Runs `body` with a folder that is gone afterwards.
    public static func with<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        return try await body(folder.url)
    }
}
