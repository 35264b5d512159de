// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where `${NAME}` and `${file:PATH}` get their values from; a value, so that tests bring their own.
public struct Variables: Sendable {
    /// Looks a name up in the environment.
    public var environment: @Sendable (_ name: String) -> String?
    /// Reads a file by its path.
    public var readFile: @Sendable (_ path: String) throws(SettingsProblem) -> [UInt8]

    /// Tells whether every user of the machine can read a file, so that a secret in it is none.
    public var isOpenToAll: @Sendable (_ path: String) -> Bool

    /// Creates a source of values.
    public init(
        environment: @escaping @Sendable (_ name: String) -> String?,
        readFile: @escaping @Sendable (_ path: String) throws(SettingsProblem) -> [UInt8],
        isOpenToAll: @escaping @Sendable (_ path: String) -> Bool = { _ in false }
    ) {
        self.environment = environment
        self.readFile = readFile
        self.isOpenToAll = isOpenToAll
    }

    /// The environment and the files of this process.
    public static let process = Self(
        environment: { name in getenv(name).map { String(cString: $0) } },
        readFile: { (path) throws(SettingsProblem) in
            do throws(SmallFile.ReadError) { return try SmallFile.read(path, atMost: 1 << 20) } catch {
                throw SettingsProblem(error.reason)
            }
        },
        isOpenToAll: SmallFile.isOpenToAll
    )

    /// Fills in the variables of a template; what they bring is never looked at again.
    ///
    /// A relative path of `${file:PATH}` starts from `directory`.
    ///
    /// - Throws: ``SettingsProblem`` for an unset variable without a default and for a file that cannot be read.
    public func fill(_ template: Template, directory: String) throws(SettingsProblem) -> String {
        var text = ""
        for piece in template.pieces {
            switch piece {
            case .literal(let literal): text += literal
            case .variable(let name, let fallback): text += try value(of: name, or: fallback)
            case .file(let path): text += try content(of: FilePath(path, in: directory))
            }
        }
        return text
    }

    private func value(of name: String, or fallback: String?) throws(SettingsProblem) -> String {
        let found = environment(name)
        // As in a shell: `:-` stands in for an empty value too.
        if let fallback { return found.flatMap { $0.isEmpty ? nil : $0 } ?? fallback }
        guard let found else {
            throw SettingsProblem(
                "needs the environment variable \(name), which is not set; set it, or write ${\(name):-DEFAULT}"
            )
        }
        return found
    }

    private func content(of path: FilePath) throws(SettingsProblem) -> String {
        let bytes: [UInt8]
        do { bytes = try readFile(path.resolved) } catch {
            throw SettingsProblem("needs the file \(path.resolved): \(error.message)")
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsProblem("needs the file \(path.resolved), which is not UTF-8 text")
        }
        if text.last?.isNewline == true { text.removeLast() }
        return text
    }
}
