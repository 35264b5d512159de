// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing
import YAML

/// The tree in one line, with `"` around what was quoted.
func flat(_ node: ConfigurationNode) -> String {
    switch node.content {
    case .scalar(let scalar): scalar.isPlain ? scalar.text : "\"\(scalar.text)\""
    case .list(let items): "[" + items.map(flat).joined(separator: ", ") + "]"
    case .map(let entries): "{" + entries.map { "\($0.key): \(flat($0.value))" }.joined(separator: ", ") + "}"
    }
}

/// A mark without its file.
func place(_ mark: SourceMark?) -> String { mark.map { "\($0.line):\($0.column)" } ?? "nowhere" }

struct CompositionTests {
    @Test(
        "Text becomes the tree it describes",
        arguments: [
            ("a: 1", "{a: 1}"),
            ("\u{FEFF}a: 1\r\nb: 2\r\n", "{a: 1, b: 2}"),
            ("a: 1\rb: 2", "{a: 1, b: 2}"),
            ("a: no\nb: '0123'\nc: \"x\\ty\"", "{a: no, b: \"0123\", c: \"x\ty\"}"),
            ("a: |\n  one\n  two\nb: >\n  three\n  four\n", "{a: \"one\ntwo\n\", b: \"three four\n\"}"),
            ("a:\nb: ~", "{a: , b: ~}"),
            ("a: !!str 5\nb: !!int \"5\"\nc: ! 5", "{a: \"5\", b: 5, c: \"5\"}"),
            ("on: {yes: 1, 404: x}", "{on: {yes: 1, 404: x}}"),
            ("a: &x [1, 2]\nb: *x", "{a: [1, 2], b: [1, 2]}"),
            ("x-a: &x {p: 1, q: 1}\nb: {<<: *x, q: 2}", "{x-a: {p: 1, q: 1}, b: {q: 2, p: 1}}"),
            (
                "x-a: &x {p: 1, q: 1}\nx-b: &y {q: 2, r: 2}\nc: {<<: [*x, *y], s: 3}",
                "{x-a: {p: 1, q: 1}, x-b: {q: 2, r: 2}, c: {s: 3, p: 1, q: 1, r: 2}}"
            ),
            ("a: {<<: {p: 1}, q: 2}", "{a: {q: 2, p: 1}}"),
            ("a: {\"<<\": 1}", "{a: {<<: 1}}"),
            ("%YAML 1.2\n---\na: 1\n...\n", "{a: 1}"),
            ("a: {b: \"${X}\"} # ${Y", "{a: {b: \"${X}\"}}"),
            ("a:\n- 1\n- 2", "{a: [1, 2]}"),
            ("key:\tvalue", "{key: value}"),
        ]
    )
    func composes(text: String, tree: String) throws {
        #expect(flat(try YAML.parse(text, file: "f")) == tree)
    }

    @Test func everyNodeKnowsItsPlaceAndItsOwner() throws {
        let text = """
            name: Ünï
            list:
              - apns: {topic: x}
                name: y
              -
                # a comment - with a dash
                fcm: {}
              - [7, é, 8]
              -
            """
        let root = try YAML.parse(text, file: "f")
        let list = try #require(root["list"])
        let items = try #require(list.items)
        #expect(place(root.mark) == "1:1")
        #expect(place(root["name"]?.mark) == "1:7")
        #expect(place(list.mark) == "3:3")
        #expect(place(list.owner) == "2:1")
        #expect(items.map { place($0.mark) } == ["3:5", "7:5", "8:5", "9:3"])
        #expect(items.map { place($0.owner) } == ["3:3", "5:3", "8:3", "9:3"])
        #expect(place(items[0]["apns"]?["topic"]?.mark) == "3:19")
        #expect(items[0].entries?.map { place($0.keyMark) } == ["3:5", "4:5"])
        #expect(items[2].items?.map { place($0.mark) } == ["8:6", "8:9", "8:12"])
    }

    @Test func whatAnAliasRepeatsKeepsItsPlaceAndHasANewOwner() throws {
        let root = try YAML.parse("a: &x\n  p: 1\nb: *x\n", file: "f")
        #expect(place(root["b"]?["p"]?.mark) == "2:6")
        #expect(place(root["b"]?.owner) == "3:1")
    }

    @Test func aKeyGivenTwiceLeavesTheRestReadable() throws {
        var diagnostics: [Diagnostic] = []
        let root = YAML.compose(Array("a: 1\na: 2\nb: 3\n".utf8), file: "f", diagnostics: &diagnostics)
        #expect(root.map(flat) == "{a: 1, b: 3}")
        #expect(diagnostics.map(\.description) == ["f:2:1: error: 'a' is given twice; the first is at line 1"])
    }

    @Test(
        "What only older YAML takes for the end of a line is refused at its place, and fine as an escape",
        arguments: ["\u{85}", "\u{2028}", "\u{2029}"]
    )
    func oldLineEnds(character: String) throws {
        let code = String(character.unicodeScalars.first?.value ?? 0, radix: 16, uppercase: true)
        let name = String(repeating: "0", count: 4 - code.count) + code
        for (text, place) in [("a: 1\nb: x\(character)y\n", "2:5"), ("# x\(character)\nb: 1\n", "1:4")] {
            var diagnostics: [Diagnostic] = []
            #expect(YAML.compose(Array(text.utf8), file: "f", diagnostics: &diagnostics) == nil)
            #expect(diagnostics.map(\.mark.description) == ["f:\(place)"])
            #expect(diagnostics[0].message.hasPrefix("the character U+\(name) is not allowed in a file"))
        }
        #expect(try YAML.parse("a: \"x\\u\(name)y\"", file: "f")["a"]?.scalar?.text == "x\(character)y")
    }

    @Test func aFileThatIsNotThereIsADiagnostic() {
        var diagnostics: [Diagnostic] = []
        #expect(YAML.load("/nowhere/busd.yaml", diagnostics: &diagnostics) == nil)
        let expected = ["/nowhere/busd.yaml:1:1: error: cannot be read: No such file or directory"]
        #expect(diagnostics.map(\.description) == expected)
    }

    @Test func aFileWithoutEndIsNotReadToItsEnd() {
        var diagnostics: [Diagnostic] = []
        #expect(YAML.load("/dev/zero", diagnostics: &diagnostics) == nil)
        #expect(
            diagnostics.map(\.description) == [
                "/dev/zero:1:1: error: cannot be read: it is a device, not a regular file"
            ]
        )
    }
}
