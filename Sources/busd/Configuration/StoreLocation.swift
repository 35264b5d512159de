// SPDX-License-Identifier: Apache-2.0

import Bus

/// Where messages and subscriptions are kept: `sqlite:PATH` or `postgresql://user:password@host:port/database`.
enum StoreLocation: Sendable, Equatable {
    case sqlite(FilePath)
    case postgresql(PostgreSQLLocation)

    /// What counts where the user says nothing.
    private static let fallback = "var/busd.db"

    /// Reads the option; the URL is cut into its parts before variables are filled, so that a password may hold
    /// whatever it likes.
    static func read(_ reader: inout SettingsReader, key: String) -> StoreLocation {
        let location = reader.optional(
            key,
            "Where messages and subscriptions are kept.",
            as: SettingsKind("store URL"),
            defaultText: "sqlite:\(fallback)",
            example: "\"sqlite:/var/lib/busd/busd.db\""
        ) { node, context, diagnostics in
            do throws(SettingsProblem) { return try StoreLocation(node, context) } catch {
                diagnostics.append(.error(at: node.mark, "'\(key)' \(error.message)"))
                return nil
            }
        }
        if case .postgresql = location {
            reader.report("PostgreSQL is not available in this release; use sqlite:PATH", at: key)
        }
        return location ?? .sqlite(FilePath(fallback, in: reader.mark(of: key).directory))
    }

    init(_ node: ConfigurationNode, _ context: SettingsContext) throws(SettingsProblem) {
        guard let scalar = node.scalar, !scalar.isNull else {
            throw SettingsProblem("must be a URL like sqlite:var/busd.db, not \(node.shape)")
        }
        var template = try Template(scalar.text)
        if template.pieces.count == 1, template.hasVariables {
            // The whole URL is in one variable: there are no parts yet, so its text is the URL.
            let text = try context.variables.fill(template, directory: node.mark.directory)
            template = Template(pieces: [.literal(text)])
        }
        var url = TemplateText(template)
        guard let scheme = url.takeLiteral(upTo: ":") else {
            throw SettingsProblem("must begin with sqlite: or postgresql:")
        }
        let fill: Fill = { (text) throws(SettingsProblem) in
            try context.variables.fill(text.template, directory: node.mark.directory)
        }
        switch scheme {
        case "sqlite": self = .sqlite(try Self.path(url, node.mark, fill))
        case "postgresql", "postgres": self = .postgresql(try PostgreSQLLocation(url, fill))
        default:
            let advice = Suggestion.clause(for: scheme, in: ["sqlite", "postgresql"])
            throw SettingsProblem("must begin with sqlite: or postgresql:\(advice)")
        }
    }

    private static func path(_ rest: TemplateText, _ mark: SourceMark, _ fill: Fill) throws(SettingsProblem) -> FilePath
    {
        var path = rest
        if path.hasPrefix("///") { path.removeFirst(2) }
        let text = try fill(path)
        guard !text.isEmpty else { throw SettingsProblem("names no file after sqlite:") }
        return FilePath(text, in: mark.directory, at: mark)
    }
}

/// Fills the variables of one part of a URL.
typealias Fill = (TemplateText) throws(SettingsProblem) -> String

/// A database on a PostgreSQL server.
struct PostgreSQLLocation: Sendable, Equatable {
    let user: String?
    let password: Secret?
    let host: String
    let port: UInt16
    let database: String

    init(_ url: TemplateText, _ fill: Fill) throws(SettingsProblem) {
        var rest = url
        guard rest.hasPrefix("//") else { throw SettingsProblem("must go on with // after postgresql:") }
        rest.removeFirst(2)
        let shape = "must look like postgresql://user:password@host:5432/database"
        guard var authority = rest.take(upTo: "/") else { throw SettingsProblem("\(shape); the database is missing") }
        if rest.contains("?") { throw SettingsProblem("has parameters after '?', which are not known here") }
        if var credentials = authority.take(upToLast: "@") {
            let name = credentials.take(upTo: ":")
            user = try fill((name ?? credentials).percentDecoded())
            password = name == nil ? nil : Secret(try fill(credentials.percentDecoded()))
        } else {
            (user, password) = (nil, nil)
        }
        (host, port) = try Self.server(authority, fill)
        database = try fill(rest.percentDecoded())
        if host.isEmpty || database.isEmpty { throw SettingsProblem(shape) }
    }

    private static func server(_ text: TemplateText, _ fill: Fill) throws(SettingsProblem) -> (String, UInt16) {
        var text = text
        if text.hasPrefix("["), let host = text.take(upToLast: "]") {
            var host = host
            host.removeFirst(1)
            if text.isEmpty { return (try fill(host), 5432) }
            text.removeFirst(1)
            return (try fill(host), try port(fill(text)))
        }
        guard let host = text.take(upToLast: ":") else { return (try fill(text), 5432) }
        return (try fill(host), try port(fill(text)))
    }

    private static func port(_ text: String) throws(SettingsProblem) -> UInt16 {
        guard let port = UInt16(text), port > 0 else {
            throw SettingsProblem("has a port that is not a number up to 65535")
        }
        return port
    }
}
