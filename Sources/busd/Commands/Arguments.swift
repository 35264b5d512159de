// SPDX-License-Identifier: Apache-2.0

import Bus

/// The words after a command: options with and without a value, and others; what nobody takes is an error.
///
/// As with GNU's getopt, the word after an option that wants a value is the value, whatever it looks like:
/// `--text -h` sends "-h". `--text=-h` means the same, and after `--` there are no options.
struct Arguments {
    /// The options of a command, as its synopsis names them: `--dir DIR` wants a value, `[--once]` does not.
    private struct Known {
        var wantingValues: Set<String> = []
        var flags: Set<String> = []

        init(synopsis: String) {
            let words = synopsis.split { $0 == " " || $0 == "\n" }
            for (word, next) in zip(words, words.dropFirst() + [""]) {
                let name = word.drop { "[(".contains($0) }
                guard name.hasPrefix("--") else { continue }
                let isFlag = name.last == "]" || next.isEmpty || "[|(".contains(next.first ?? "|")
                if isFlag {
                    flags.insert(String(name.prefix { $0 != "]" }))
                } else {
                    wantingValues.insert(String(name))
                }
            }
        }
    }

    /// Whether `--help` or `-h` is among the options.
    private(set) var asksForHelp = false
    private var options: [(name: String, value: String?)] = []
    private var words: [String] = []
    private var problem: UsageError?

    /// Takes the words apart for the command with this synopsis; a problem is told by the first that asks for anything.
    init(_ given: [String], synopsis: String) {
        let known = Known(synopsis: synopsis)
        var rest = given[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                words.append(word)
                continue
            }
            take(word, &rest, known)
        }
    }

    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>, _ known: Known) {
        let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : word
        let attached = name == word ? nil : String(word.dropFirst(name.count + 1))
        if known.wantingValues.contains(name) {
            if let value = attached ?? rest.popFirst() {
                options.append((name, value))
            } else {
                problem = problem ?? UsageError("\(name) needs a value")
            }
        } else if known.flags.contains(name) {
            if attached != nil { problem = problem ?? UsageError("\(name) takes no value") }
            options.append((name, nil))
        } else if name == "--help" || name == "-h" {
            asksForHelp = true
        } else {
            let advice = Suggestion.clause(for: name, in: known.wantingValues.union(known.flags).sorted())
            problem = problem ?? UsageError("unknown option '\(name)'\(advice)")
        }
    }

    /// Takes the value of the first `--name VALUE` that is left.
    mutating func option(_ name: String) throws(UsageError) -> String? {
        if let problem { throw problem }
        guard let index = options.firstIndex(where: { $0.name == name }) else { return nil }
        return options.remove(at: index).value
    }

    /// Takes `--name`.
    mutating func flag(_ name: String) -> Bool {
        guard let index = options.firstIndex(where: { $0.name == name }) else { return false }
        options.remove(at: index)
        return true
    }

    /// Takes the words that are no options, when all options were taken.
    mutating func rest() throws(UsageError) -> [String] {
        if let problem { throw problem }
        if let twice = options.first { throw UsageError("\(twice.name) is given twice") }
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
