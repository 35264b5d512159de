// SPDX-License-Identifier: Apache-2.0

/// The words after a command, taken apart one by one; what nobody took is an error.
struct Arguments {
    private var words: [String]

    init(_ words: [String]) { self.words = words }

    var asksForHelp: Bool { words.contains("--help") || words.contains("-h") }

    /// Takes `--name VALUE` or `--name=VALUE`.
    mutating func option(_ name: String) throws(UsageError) -> String? {
        if let index = words.firstIndex(where: { $0.hasPrefix(name + "=") }) {
            return String(words.remove(at: index).dropFirst(name.count + 1))
        }
        guard let index = words.firstIndex(of: name) else { return nil }
        guard index + 1 < words.count else { throw UsageError("\(name) needs a value") }
        words.remove(at: index)
        return words.remove(at: index)
    }

    /// Takes `--name`.
    mutating func flag(_ name: String) -> Bool {
        guard let index = words.firstIndex(of: name) else { return false }
        words.remove(at: index)
        return true
    }

    /// Takes what is left, which must not look like an option.
    mutating func rest() throws(UsageError) -> [String] {
        if let option = words.first(where: { $0.hasPrefix("-") }) { throw UsageError("unknown option '\(option)'") }
        defer { words = [] }
        return words
    }

    /// Makes sure that nothing is left.
    mutating func finish() throws(UsageError) {
        if let word = try rest().first { throw UsageError("'\(word)' is one word too many") }
    }
}

/// The command line is wrong.
struct UsageError: Error {
    let message: String
    init(_ message: String) { self.message = message }
}
