// SPDX-License-Identifier: Apache-2.0

import Bus
import CSV

/// Other names that users go by, from a CSV file with the columns alias and user.
struct AliasTable: Sendable {
    /// The largest table, in bytes.
    static let largestFile = 64 << 20

    private var users: [RecipientID: RecipientID] = [:]

    /// No other names.
    init() {}

    /// Reads a table, blocking; names are brought into the form that the stage compares.
    ///
    /// - Throws: ``AliasError``.
    init(_ path: String, form: (String) -> String) throws(AliasError) {
        let bytes: [UInt8]
        do throws(SmallFile.ReadError) { bytes = try SmallFile.read(path, atMost: Self.largestFile) } catch {
            throw AliasError(path: path, line: nil, message: "cannot be read: \(error.reason)")
        }
        let rows: [CSV.Row]
        do throws(CSV.ParseError) { rows = try CSV.parse(bytes) } catch {
            throw AliasError(path: path, line: error.line, message: error.message)
        }
        for row in rows {
            guard row.fields.count == 2, !row.fields.contains("") else {
                throw AliasError(path: path, line: row.line, message: "must have two columns, alias and user")
            }
            if row.line == 1, row.fields == ["alias", "user"] { continue }
            let alias = RecipientID(form(row.fields[0]))
            guard users.updateValue(RecipientID(form(row.fields[1])), forKey: alias) == nil else {
                throw AliasError(path: path, line: row.line, message: "names an alias a second time")
            }
        }
    }

    /// The user who goes by this name.
    func user(_ name: RecipientID) -> RecipientID { users[name] ?? name }
}

/// What is wrong with a table of aliases.
struct AliasError: Error, CustomStringConvertible {
    let path: String
    let line: Int?
    let message: String

    var description: String { line.map { "\(path):\($0): the line \(message)" } ?? "\(path): \(message)" }
}
