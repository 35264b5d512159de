// SPDX-License-Identifier: Apache-2.0

/// A path from a configuration file: relative ones start at the folder of the file that names them.
public struct FilePath: SettingsValue, Hashable, CustomStringConvertible {
    /// The path as the user wrote it, variables by their names: for messages.
    public let written: String
    /// The path to open.
    public let resolved: String
    /// Where it is named; `nil` where a default or a test names it.
    public let mark: SourceMark?

    /// Creates a path; a relative one starts from `directory`, and `.` leaves it as it is.
    public init(_ written: String, in directory: String = ".", at mark: SourceMark? = nil) {
        self.written = written
        self.mark = mark
        let isComplete = written.hasPrefix("/") || directory == "."
        resolved = isComplete ? written : directory.hasSuffix("/") ? directory + written : "\(directory)/\(written)"
    }

    /// What is said of a file with a secret that everybody can read; goes on after its name.
    static let openToAll = "can be read by every user of this machine; take that right away (chmod o-rwx)"

    /// A path.
    public static var kind: SettingsKind { SettingsKind("path") }
    /// No path.
    public static var placeholder: Self { Self("") }

    /// Reads a path; an empty one is no path.
    public init(_ scalar: SettingsScalar) throws(SettingsProblem) {
        guard !scalar.text.isEmpty else { throw SettingsProblem("must be a path, and is empty") }
        guard !scalar.text.utf8.contains(0) else { throw SettingsProblem("must be a path, and holds a NUL character") }
        guard !Self.isContent(scalar.text) else {
            throw SettingsProblem("must be the path of a file, and is what belongs into the file")
        }
        let path = Self(scalar.text, in: scalar.mark.directory)
        written = scalar.written
        resolved = path.resolved
        mark = scalar.mark
    }

    /// Whether somebody put a key in the place of its path.
    private static func isContent(_ text: String) -> Bool {
        text.hasPrefix("-----BEGIN") || text.hasPrefix("{") || text.utf8.contains(UInt8(ascii: "\n"))
    }

    /// The path as the user wrote it.
    public var settingsText: String { written }
    /// The path to open.
    public var description: String { resolved }
}
