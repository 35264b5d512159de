// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

/// Settings that may hold themselves.
private struct Endless: ModuleSettings {
    var next: [Endless]

    init(from reader: inout SettingsReader) { next = reader.optionalGroups("next", "The next ones.") }
}

struct SettingsDescriptionTests {
    /// One line an option, nested ones indented.
    private func lines(_ description: SettingsDescription, _ indent: String = "") -> [String] {
        description.options.flatMap { option -> [String] in
            var words = [indent + option.key, shape(option.shape)]
            if option.isRequired { words.append("required") }
            if let fallback = option.fallback { words.append("= \(fallback)") }
            if option.isSecret { words.append("hidden") }
            if let example = option.example { words.append("e.g. \(example)") }
            return [words.joined(separator: " ")] + nested(option.shape, indent + "  ")
        }
    }

    private func shape(_ shape: SettingsDescription.Shape) -> String {
        switch shape {
        case .value(let kind, let least, let most):
            [kind.name, kind.choices.joined(separator: "|"), least ?? "", most ?? ""].filter { !$0.isEmpty }
                .joined(separator: " ")
        case .list(let item, let acceptsOne): "list\(acceptsOne ? " or one" : "") of \(self.shape(item))"
        case .map(let item): "map of \(self.shape(item))"
        case .group: "group"
        case .choice: "choice"
        case .anything: "anything"
        }
    }

    private func nested(_ shape: SettingsDescription.Shape, _ indent: String) -> [String] {
        switch shape {
        case .group(let inner), .choice(let inner): lines(inner, indent)
        case .list(let item, _), .map(let item): nested(item, indent)
        case .value, .anything: []
        }
    }

    @Test func theInitialiserThatReadsAlsoDescribes() {
        #expect(
            lines(SettingsDescription(of: GatewaySettings.self)).joined(separator: "\n") == """
                url string required e.g. http://127.0.0.1:13013/
                password secret hidden
                method name get|post = get
                connections whole number 1 100 = 32
                reports true or false = false
                after duration 0s 1h = 30s
                largest size = 1MiB
                events list or one of name get|post = [get]
                labels map of whole number
                auth choice
                  key group required
                    path path required e.g. keys/a.p8
                    team_id string required
                  bearer list of string required
                  certificate true or false required
                apps list of group
                  id string required
                segments map of group
                  id string required
                """
        )
    }

    @Test func aTypeThatHoldsItselfEndsSomewhere() {
        #expect(lines(SettingsDescription(of: Endless.self)).count < 20)
    }

    @Test(
        "A value is written as one would write it",
        arguments: [
            (Duration.milliseconds(250), "250ms"), (.seconds(90), "90s"), (.seconds(3600), "1h"), (.zero, "0s"),
            (.seconds(30 * 86_400), "30d"), (.milliseconds(1500), "1500ms"),
        ]
    )
    func writesDurations(duration: Duration, text: String) throws {
        #expect(duration.settingsText == text)
        #expect(try Duration(SettingsScalar(text, mark: SourceMark(file: "f"))) == duration)
    }

    @Test("Sizes too", arguments: [(0, "0B"), (512, "512B"), (65_536, "64KiB"), (1 << 20, "1MiB"), (3 << 30, "3GiB")])
    func writesSizes(bytes: Int, text: String) throws {
        #expect(ByteCount(bytes).settingsText == text)
        #expect(try ByteCount(SettingsScalar(text, mark: SourceMark(file: "f"))).bytes == bytes)
    }
}
