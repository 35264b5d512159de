// SPDX-License-Identifier: Apache-2.0

import Bus

/// Gathers the entries of one map: refuses a key given twice, and merges `<<`.
struct MapBuilder {
    private(set) var diagnostics: [Diagnostic] = []
    private var entries: [ConfigurationNode.Entry] = []
    private var seen: [String: SourceMark] = [:]
    private var sources: [ConfigurationNode] = []

    mutating func add(_ entry: ConfigurationNode.Entry, isPlain: Bool) throws(ConfigurationError) {
        if let first = seen[entry.key] {
            let message = "'\(entry.key)' is given twice; the first is at line \(first.line)"
            diagnostics.append(.error(at: entry.keyMark, message))
            return
        }
        seen[entry.key] = entry.keyMark
        if entry.key == "<<", isPlain {
            sources = try Self.maps(entry)
        } else {
            entries.append(entry)
        }
    }

    /// The entries, then what `<<` brings: a key of the map itself wins, and an earlier map over a later one.
    func merged() -> [ConfigurationNode.Entry] {
        var all = entries
        var taken = Set(entries.map(\.key))
        for source in sources {
            all += (source.entries ?? []).filter { taken.insert($0.key).inserted }
        }
        return all
    }

    private static func maps(_ entry: ConfigurationNode.Entry) throws(ConfigurationError) -> [ConfigurationNode] {
        let sources = entry.value.items ?? [entry.value]
        for source in sources where source.entries == nil {
            throw ConfigurationError(
                at: source.owner,
                "'<<' merges a map or a list of maps, and this is \(source.shape)"
            )
        }
        return sources
    }
}
