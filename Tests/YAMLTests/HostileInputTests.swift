// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing
import YAML

@Suite(.timeLimit(.minutes(1)))
struct HostileInputTests {
    static let bomb =
        "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        + (1...9).map { "a\($0): &a\($0) [" + repeatElement("*a\($0 - 1)", count: 10).joined(separator: ", ") + "]\n" }
        .joined()

    static let texts: [(name: String, text: String, message: String)] = [
        ("empty", "", "f:1:1: error: the file is empty"),
        ("only comments", "# nothing\n\n", "f:1:1: error: the file is empty"),
        ("only a marker", "---\n", "f:1:1: error: the file is empty"),
        ("alias bomb", bomb, "f:5:45: error: more than 100000 values, those that aliases repeat included"),
        ("two documents", "a: 1\n---\nb: 2\n", "f:2:1: error: a second document begins here; a file holds only one"),
        ("tab", "a:\n\tb: 1\n", "f:2:1: error: a tab cannot indent a line in YAML; use spaces"),
        ("tab after spaces", "a:\n  \tb: 1\n", "f:2:3: error: a tab cannot indent a line in YAML; use spaces"),
        ("list as a key", "[a]: 1", "f:1:1: error: a key must be a single value, not a list or a map"),
        ("map as a key", "? {a: 1}\n: 2", "f:1:3: error: a key must be a single value, not a list or a map"),
        ("no key", "~: 1", "f:1:1: error: a key is missing before the ':'"),
        ("alias as a key", "a: &x 1\n*x : 2", "f:2:1: error: a key must be written out, and this is an alias"),
        (
            "unknown anchor", "a: &secret 1\nb: *secrte",
            "f:2:4: error: there is no anchor '&secrte' before this; did you mean 'secret'?"
        ),
        ("a cycle", "a: &x [*x]", "f:1:8: error: '*x' would hold itself"),
        ("a cycle through a map", "a: &x\n  b: *x", "f:2:6: error: '*x' would hold itself"),
        ("a merge into itself", "a: &x\n  <<: *x", "f:2:7: error: '*x' would hold itself"),
        (
            "merge of text", "a: {<<: 5}",
            "f:1:5: error: '<<' merges a map or a list of maps, and this is a single value"
        ),
        (
            "merge of a list in a list", "a: {<<: [[1]]}",
            "f:1:10: error: '<<' merges a map or a list of maps, and this is a list"
        ),
        ("own tag", "a: !Foo 1", "f:1:4: error: the tag '!Foo' is not known here; remove it"),
        ("binary", "a: !!binary aGk=", "f:1:4: error: the tag '!!binary' is not known here; remove it"),
        (
            "python", "a: !!python/object:os.system x",
            "f:1:4: error: the tag '!!python/object:os.system' is not known here; remove it"
        ),
        ("tag of another shape", "a: !!map [1]", "f:1:4: error: the tag '!!map' is not known here; remove it"),
        (
            "NUL", "a: 1\nb: x\0y\n",
            "f:2:5: error: the character U+0000 is not allowed in a file; remove it, or write it as an escape in \"…\""
        ),
        (
            "escape sequence", "a: \u{1B}[31m",
            "f:1:4: error: the character U+001B is not allowed in a file; remove it, or write it as an escape in \"…\""
        ),
        (
            "colon in a value", "a: b: c",
            "f:1:5: error: not valid YAML: mapping values are not allowed in this context; look at the indentation, "
                + "and put quotes around a value that holds ': '"
        ),
        (
            "at sign", "a: @b",
            "f:1:4: error: not valid YAML: found character that cannot start any token while scanning for the next token "
                + "that begins at line 1; put quotes around a value that begins with '@'"
        ),
        (
            "variable in braces", "a: {b: ${X}}",
            "f:1:9: error: not valid YAML: did not find expected ',' or '}' while parsing a flow mapping that begins at "
                + "line 1; a value with ${…} inside { } or [ ] needs quotes around it"
        ),
    ]

    @Test("Broken text is refused with its place and advice", arguments: texts)
    func refuses(name: String, text: String, message: String) {
        #expect(problems(Array(text.utf8)) == [message])
    }

    static let notUTF8 = "error: this byte is not UTF-8; save the file as UTF-8 (it may be windows-1251 or latin-1 now)"
    static let wide = "error: the file is not UTF-8 but UTF-16 or UTF-32; save it as UTF-8"

    @Test(
        "Bytes that are not UTF-8 are refused with their place",
        arguments: [
            (Array("a: 1\nb: é".utf8.dropLast()), "f:2:4: \(notUTF8)"),
            (Array("é: ".utf8) + [0xCF, 0xF0], "f:1:4: \(notUTF8)"),
            (Array("\u{FEFF}a: ".utf8) + [0xFF], "f:1:4: \(notUTF8)"),
            ([0xFF, 0xFE, 0x61, 0], "f:1:1: \(wide)"),
            ([0, 0x61, 0, 0x3A], "f:1:1: \(wide)"),
        ] as [([UInt8], String)]
    )
    func refusesBytes(bytes: [UInt8], message: String) {
        #expect(problems(bytes) == [message])
    }

    @Test func aLongLineIsRefusedByItsSize() {
        let line = [UInt8](repeating: 0x61, count: 10_000_000)
        #expect(problems(line) == ["f:1:1: error: the file is larger than 1MiB"])
    }

    /// Work that grows with the square of the size would take minutes here.
    @Test(
        "Small pieces repeated many thousand times end in an answer, soon",
        arguments: [
            "[", "{", "- ", "? ", "[a, ", "{a: ", "a: &x ", "\"", "'", "!", "&", "*a ", "- - ", "a\n", "#\n", "\n",
            "- -\n", "-\n", "a: 1\n", "|\n", "%A\n", "---\n", "...\n", "{}", "\t", "\r", "\u{2028}", "é", "<<: {}\n",
            "[],", ": ", "?\n", "- &a *a\n", "\\", "a: [\n", " ", "x:\n", "! ! ",
        ]
    )
    func endsSoon(piece: String) {
        let text = String(repeating: piece, count: (1 << 17) / piece.utf8.count)
        for prefix in ["", "a: [", "a: \"", "- "] {
            let begun = ContinuousClock.now
            _ = problems(Array((prefix + text).utf8))
            #expect(ContinuousClock.now - begun < .seconds(5))
        }
    }

    @Test("Nesting has a limit", arguments: [("[", "]"), ("{a: ", "}")])
    func limitsDepth(open: String, close: String) {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
        }
        #expect(problems(nested(99)) == [])
        #expect(problems(nested(100)).map { $0.contains("nested deeper than 100 levels") } == [true])
    }

    private func problems(_ bytes: [UInt8]) -> [String] {
        var diagnostics: [Diagnostic] = []
        let root = YAML.compose(bytes, file: "f", diagnostics: &diagnostics)
        if root == nil { #expect(diagnostics.hasErrors) }
        return diagnostics.map(\.description)
    }
}
