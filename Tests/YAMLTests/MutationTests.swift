// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing
import YAML

/// SplitMix64, so that a failure comes back with the next run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct MutationTests {
    static let corpus = [
        "pipeline: megabank\ninbound:\n  - soap_bank: { path: /x }\noutbound:\n  - apns: { topic: t }\n    when: { any: [a] }\n",
        "x-a: &a {p: 1}\nb: {<<: *a, q: \"${X:-y}\"}\nc: &c [*a, 'é', |-\n]\n",
        "a: |\n  block\n   more\nb: >-\n  folded\n\n  text\n? c\n: - d\n  - !!str 5\n",
        "%YAML 1.2\n--- # comment\n\"k\\u00e9y\": 'it''s'\n...\n",
    ]

    static let tokens = [
        "\t", "\0", "\r", "\n", ":", "- ", "? ", "&a ", "*a", "<<: *a", "[", "]", "{", "}", "\"", "'", "|", ">", "!",
        "#", "---\n", "...\n", "\u{FEFF}", "\u{2028}", "é", "${", "%",
    ]

    @Test("No mutation of good text crashes, and what is refused says why", arguments: 0..<8)
    func survives(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1500 {
            var bytes = Array(Self.corpus.randomElement(using: &generator)!.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &generator) { mutate(&bytes, &generator) }
            var diagnostics: [Diagnostic] = []
            let root = YAML.compose(bytes, file: "f", diagnostics: &diagnostics)
            #expect(root != nil || diagnostics.hasErrors, "\(bytes)")
            for diagnostic in diagnostics {
                #expect(diagnostic.mark.line >= 1 && diagnostic.mark.column >= 1)
                #expect(!diagnostic.message.isEmpty && !diagnostic.message.contains("\n"))
            }
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let index = Int.random(in: 0...bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes.insert(contentsOf: Self.tokens.randomElement(using: &generator)!.utf8, at: index)
        case 1 where index < bytes.count: bytes.remove(at: index)
        case 2 where index < bytes.count: bytes[index] = .random(in: 0...255, using: &generator)
        case 3: bytes.removeLast(bytes.count - index)
        default:
            let end = Int.random(in: index...bytes.count, using: &generator)
            bytes.insert(contentsOf: bytes[index..<end], at: index)
        }
    }
}
