// SPDX-License-Identifier: Apache-2.0

import Bus
import CSV

/// Other names that users go by, from a CSV file with the columns alias and user.
struct AliasTable: Sendable {
    /// The largest table, in bytes.
    static let largestFile = 64 << 20
    /// The longest name that a bank or an app may give, in bytes.
    private static let longestName = 255

    private var users: [RecipientID: RecipientID] = [:]

    /// No other names.
    init() {}

    /// Reads a table, blocking; names are brought into the form that the stage compares.
    ///
    /// - Throws: ``AliasError`` with everything that is wrong in it.
    init(_ path: String, form: (String) -> String) throws(AliasError) {
        let bytes: [UInt8]
        do throws(SmallFile.ReadError) { bytes = try SmallFile.read(path, atMost: Self.largestFile) } catch {
            throw AliasError(path: path, faults: [.init(line: nil, message: "cannot be read: \(error.reason)")])
        }
        let rows: [CSV.Row]
        do throws(CSV.ParseError) { rows = try CSV.parse(bytes) } catch {
            throw AliasError(path: path, faults: [.init(line: error.line, message: error.message)])
        }
        if let first = rows.first, first.fields.map({ $0.lowercased() }) == ["user", "alias"] {
            // Read as it stands every name would lead the wrong way.
            let message = "has the columns the wrong way round: the alias comes first, then the user"
            throw AliasError(path: path, faults: [.init(line: first.line, message: message)])
        }
        var faults: [AliasError.Fault] = []
        var lines: [RecipientID: Int] = [:]
        for row in rows.dropFirst(rows.first.map(Self.isHeader) == true ? 1 : 0) {
            if let problem = Self.problem(row.fields) {
                faults.append(.init(line: row.line, message: problem))
                continue
            }
            let alias = RecipientID(form(row.fields[0]))
            if let first = lines[alias] {
                faults.append(
                    .init(line: row.line, message: "names an alias a second time; the first is at line \(first)")
                )
                continue
            }
            lines[alias] = row.line
            users[alias] = RecipientID(form(row.fields[1]))
        }
        faults += chains(lines)
        guard faults.isEmpty else { throw AliasError(path: path, faults: faults) }
    }

    /// The user who goes by this name.
    func user(_ name: RecipientID) -> RecipientID { users[name] ?? name }

    private static func isHeader(_ row: CSV.Row) -> Bool { row.fields.map { $0.lowercased() } == ["alias", "user"] }

    private static func problem(_ fields: [String]) -> String? {
        guard fields.count == 2, !fields.contains("") else { return "must have two columns, alias and user" }
        // Names are trimmed where they come in, so such a one would never be met.
        if fields.contains(where: { $0.first?.isWhitespace == true || $0.last?.isWhitespace == true }) {
            return "has a name with a blank at its beginning or end"
        }
        return fields.contains { $0.utf8.count > longestName } ? "has a name of more than \(longestName) bytes" : nil
    }

    /// A user who is an alias too: names are looked up once, so their own name would lead elsewhere.
    private func chains(_ lines: [RecipientID: Int]) -> [AliasError.Fault] {
        lines.compactMap { alias, line -> AliasError.Fault? in
            guard let user = users[alias], user != alias, let next = lines[user], users[user] != user else {
                return nil
            }
            let isLoop = users[user] == alias
            let message =
                isLoop
                ? "leads in a circle with line \(next); one of the two names is the user's"
                : "leads to a name that is an alias itself, at line \(next); name the user whom that one leads to"
            return AliasError.Fault(line: line, message: message)
        }.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }
}

/// What is wrong with a table of aliases.
struct AliasError: Error, CustomStringConvertible {
    /// One thing that is wrong, perhaps in a line; goes on after "the line".
    struct Fault {
        let line: Int?
        let message: String
    }

    let path: String
    let faults: [Fault]

    var description: String {
        faults.prefix(10).map { fault in
            fault.line.map { "\(path):\($0): the line \(fault.message)" } ?? "\(path): \(fault.message)"
        }.joined(separator: "; ")
    }
}
