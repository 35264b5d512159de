// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import Testing
import YAML

/// A linear congruential generator, so that a failure comes back with the next run.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 33)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct MutationTests {
    static let file = """
        x-a: &a { p: 1 }
        pipeline: megabank
        inbound:
          - soap_bank: { path: "/x/${A}" }
            name: ${B:-first}
        stages: [{ validate: *a, enabled: true }]
        outbound:
          - apns: { topic: t }
            when: { any: [{ type: PIN_CODE }, { not: { priority: ">=5", tag: { k: "<3" } } }] }
        subscriptions: { expire_after: 30d }
        delivery: { retry: { initial: 1s, max: 5m }, give_up_after: 7d }
        """

    static let tokens = [
        "${", "}", "$${", ":-", "${file:", "-", "0", "9999999999999999999", "s", "d", "\"", "'", "*a", "<<: *a", "[",
        "]",
        "{", "}", ": ", "\n", "~", "null", ">=", "é", "\u{301}", "\u{1F1E9}", "when", "not: ", "any: ", "  ",
    ]

    @Test("No mutation of a good file crashes the reader, and what is refused says why", arguments: 0..<8)
    func survives(seed: UInt64) {
        let variables = Variables(
            environment: { $0 == "A" ? "${B}" : nil },
            readFile: { (_) throws(SettingsProblem) in throw SettingsProblem("not there") }
        )
        var generator = SeededGenerator(state: seed)
        for _ in 0..<200 {
            var scalars = Array(Self.file.unicodeScalars)
            for _ in 0..<Int.random(in: 1...5, using: &generator) { mutate(&scalars, &generator) }
            let text = String(String.UnicodeScalarView(scalars))
            var diagnostics: [Diagnostic] = []
            let root = YAML.compose(Array(text.utf8), file: "f", diagnostics: &diagnostics)
            let read = root.flatMap {
                PipelineFile.read($0, context: SettingsContext(variables: variables), diagnostics: &diagnostics)
            }
            #expect(read != nil || diagnostics.hasErrors, "\(text)")
            for diagnostic in diagnostics { #expect(!diagnostic.message.contains("\n"), "\(text)") }
        }
    }

    private func mutate(_ scalars: inout [Unicode.Scalar], _ generator: inout SeededGenerator) {
        let index = Int.random(in: 0...scalars.count, using: &generator)
        let end = Int.random(in: index...min(scalars.count, index + 20), using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: scalars.removeSubrange(index..<end)
        case 1:
            scalars.insert(contentsOf: scalars[index..<end], at: Int.random(in: 0...scalars.count, using: &generator))
        default: scalars.insert(contentsOf: Self.tokens.randomElement(using: &generator)!.unicodeScalars, at: index)
        }
    }
}
