// SPDX-License-Identifier: Apache-2.0

import Bus

/// Something `busd` can be asked to do.
protocol Command: SendableMetatype {
    /// The word on the command line.
    static var name: String { get }
    /// What follows the word; the options in it are those that the command takes.
    static var synopsis: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// What `busd help COMMAND` adds.
    static var details: String { get }

    /// Does it.
    ///
    /// - Throws: ``UsageError`` where the command line is wrong, any other error where the work failed.
    static func run(_ arguments: inout Arguments) async throws -> ExitStatus
}

/// All commands, and those that later releases bring.
enum CommandTable {
    static let commands: [any Command.Type] = [
        RunCommand.self, CheckCommand.self, SendCommand.self, ModulesCommand.self, SchemaCommand.self,
        GraphCommand.self, ImportTomcatCommand.self, ImportSubscriptionsCommand.self, WSDLCommand.self,
        SandboxCommand.self, DemoCommand.self,
        DeadLettersCommand.self,
        QuarantineCommand.self,
        HelpCommand.self,
    ]

    static let later = [
        "test", "trace", "channels", "reload", "store",
    ]

    static func run(_ words: [String]) async -> ExitStatus {
        guard let first = words.first else {
            Console.error(HelpCommand.overview)
            return .usage
        }
        if first == "--version" {
            Console.print("busd \(Version.current)")
            return .success
        }
        if first == "--help" || first == "-h" {
            Console.print(HelpCommand.overview)
            return .success
        }
        guard let command = commands.first(where: { $0.name == first }) else { return unknown(first) }
        var arguments = Arguments(Array(words.dropFirst()), synopsis: command.synopsis)
        if arguments.asksForHelp {
            Console.print(HelpCommand.text(for: command))
            return .success
        }
        do {
            return try await command.run(&arguments)
        } catch let error as UsageError {
            Console.error("busd \(command.name): \(error.message)\nusage: busd \(command.name) \(command.synopsis)")
            return .usage
        } catch {
            Console.error("busd \(command.name): \(error)")
            return .failure
        }
    }

    private static func unknown(_ word: String) -> ExitStatus {
        if later.contains(word) {
            Console.error("busd: '\(word)' is not available in this release")
            return .failure
        }
        let advice = Suggestion.clause(for: word, in: commands.map { $0.name } + later)
        Console.error("busd: unknown command '\(word)'\(advice)\n'busd help' lists the commands")
        return .usage
    }
}

/// What this build calls itself.
enum Version {
    static let current = "0.1.0"
}
