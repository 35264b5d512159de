// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing
import YAML

/// What is proposed for a quantity that is not written as it should be: another way to write the same value.
struct QuantityHintTests {
    struct Waits: ModuleSettings {
        init(from reader: inout SettingsReader) {
            let _: Duration = reader.optional("days", "Days.", default: .seconds(30 * 86_400))
            let _: Duration = reader.optional("seconds", "Seconds.", default: .seconds(300))
            let _: Duration = reader.optional("parts", "Parts of a second.", default: .milliseconds(250))
            let _: Duration? = reader.optional("example", "Days.", example: "30d")
            let _: ByteCount? = reader.optional("size", "A size.")
        }
    }

    @Test(
        "A proposal keeps the value, in the option's own unit where none was written",
        arguments: [
            ("days: 30", "30d"), ("seconds: 30", "30s"), ("parts: 30", "30ms"), ("example: 7", "7d"),
            ("seconds: 1m30s", "90s"), ("seconds: 1h30m", "90m"), ("seconds: 1.5h", "90m"), ("seconds: 0.25s", "250ms"),
            ("seconds: 2 min", "2m"), ("seconds: 1w", "7d"), ("seconds: 2 weeks", "14d"), ("seconds: 30S", "30s"),
            ("seconds: 5 Minutes", "5m"), ("seconds: 1d12h", "36h"), ("size: 64k", "64KiB"),
            ("size: 1.5MiB", "1536KiB"),
            ("size: 1GB", "1GiB"), ("size: 5", "5B"),
        ]
    )
    func proposes(text: String, proposal: String) throws {
        let found = try problem(text)
        #expect(found.hasSuffix("; did you mean \"\(proposal)\"?"), "\(found)")
    }

    @Test(
        "Where nothing is certain, the ways to write it are told",
        arguments: ["seconds: 5x", "seconds: 1m30", "seconds: 1.0001ms", "seconds: 1..5s", "size: 5s", "size: 5W"]
    )
    func tells(text: String) throws {
        let found = try problem(text)
        #expect(found.contains("; write it like 5"), "\(found)")
    }

    private func problem(_ text: String) throws -> String {
        var found: [Diagnostic] = []
        _ = Waits.read(try YAML.parse(text, file: "f"), context: SettingsContext(), diagnostics: &found)
        return try #require(found.first).message
    }
}
