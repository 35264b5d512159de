// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

struct SuggestionTests {
    @Test(
        "A slip finds the name that was meant",
        arguments: [
            ("urll", "url"), ("tpoic", "topic"), ("Topic", "topic"), ("conections", "connections"),
            ("user-name", "username"), ("conn", "connections"), ("xyz", nil), ("", nil), ("topic", nil),
        ] as [(String, String?)]
    )
    func finds(typed: String, meant: String?) {
        #expect(Suggestion.closest(to: typed, in: ["url", "topic", "connections", "username"]) == meant)
    }

    @Test func aVeryLongNameIsNotCompared() {
        let name = String(repeating: "a", count: 100_000)
        #expect(Suggestion.closest(to: name, in: [name + "b"]) == nil)
    }

    @Test func diagnosticsOfSeveralFilesAreSortedAndSaidOnce() {
        let first = SourceMark(file: "a.yaml", line: 2, column: 3)
        let error = ConfigurationError([
            .error(at: SourceMark(file: "b.yaml", line: 1, column: 1), "z"),
            .error(at: SourceMark(file: "a.yaml", line: 10, column: 1), "y"),
            .warning(at: first, "x"),
            .error(at: first, "w"),
            .warning(at: first, "x"),
        ])
        #expect(
            error.description == """
                a.yaml:2:3: warning: x
                a.yaml:2:3: error: w
                a.yaml:10:1: error: y
                b.yaml:1:1: error: z
                """
        )
    }
}
