// SPDX-License-Identifier: Apache-2.0

import Bus

/// The command `help`.
enum HelpCommand: Command {
    static let name = "help"
    static let synopsis = "[COMMAND]"
    static let summary = "list the commands, or explain one"
    static let details = ""

    static var overview: String {
        let width = CommandTable.commands.map { $0.name.count }.max() ?? 0
        let lines = CommandTable.commands.map { command in
            "  \(command.name)\(String(repeating: " ", count: width - command.name.count + 2))\(command.summary)"
        }
        return """
            busd \(Version.current), an integration bus for bank push notifications

            usage: busd COMMAND [OPTIONS]

            \(lines.joined(separator: "\n"))

            'busd help COMMAND' explains one; 'busd --version' prints the version.
            """
    }

    static func text(for command: any Command.Type) -> String {
        let head = "usage: busd \(command.name) \(command.synopsis)\n\n\(command.summary)"
        return command.details.isEmpty ? head : "\(head)\n\n\(command.details)"
    }

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let words = try arguments.rest()
        guard let word = words.first else {
            Console.print(overview)
            return .success
        }
        if words.count > 1 { throw UsageError("'\(words[1])' is one word too many") }
        guard let command = CommandTable.commands.first(where: { $0.name == word }) else {
            if CommandTable.later.contains(word) {
                Console.error("busd: '\(word)' is not available in this release")
                return .failure
            }
            let advice = Suggestion.clause(for: word, in: CommandTable.commands.map { $0.name })
            throw UsageError("there is no command '\(word)'\(advice)")
        }
        Console.print(text(for: command))
        return .success
    }
}
