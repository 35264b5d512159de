// SPDX-License-Identifier: Apache-2.0

public import Bus
import HTTPClient

/// Where a module in another language is, and how long it may take.
public struct ExternalSettings: ModuleSettings {
    /// Where it is.
    enum Place: Sendable {
        /// A program and its arguments.
        case command([String])
        /// A service over HTTP.
        case url(String)
    }

    let place: Place
    /// How long an answer may take.
    let timeout: Duration
    /// Processes at once.
    let workers: Int

    /// Reads the options.
    public init(from reader: inout SettingsReader) {
        let summary =
            "The program and its arguments; it reads questions from standard input and writes answers, one a line."
        let example = "[python3, stage.py]"
        let command: [String] =
            reader.isGiven("url")
            ? reader.optionalList("command", summary, default: [], example: example)
            : reader.requiredList("command", summary, example: example)
        let url: ServiceURL? = reader.optional(
            "url",
            "In place of a command: where each question is posted.",
            example: "http://127.0.0.1:9000/stage"
        )
        timeout = reader.optional(
            "timeout",
            "How long an answer may take.",
            default: .seconds(2),
            in: .milliseconds(10) ... .seconds(600)
        )
        workers = reader.optional("workers", "Processes at once, with a command.", default: 1, in: 1...64)
        if let url {
            place = .url(url.text)
            if !command.isEmpty {
                reader.report("'command' and 'url' are two places for one module; give one", at: "url")
            }
        } else {
            place = .command(command)
        }
    }
}
