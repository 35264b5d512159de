// SPDX-License-Identifier: Apache-2.0

import Bus

/// What an explicit tag says about a value; only YAML's own tags are known.
struct Tag {
    private static let core = "tag:yaml.org,2002:"

    /// Whether a scalar may mean a number or a boolean; `nil` where no tag says anything.
    let isPlain: Bool?

    init(_ event: EventReader.Event) throws(ConfigurationError) {
        guard let tag = event.tag else {
            isPlain = nil
            return
        }
        let name = tag.hasPrefix(Self.core) ? "!!\(tag.dropFirst(Self.core.count))" : tag
        switch (event.kind, name) {
        case (.scalar, "!"), (.scalar, "!!str"): isPlain = false
        case (.scalar, "!!int"), (.scalar, "!!float"), (.scalar, "!!bool"), (.scalar, "!!null"): isPlain = true
        case (.listStart, "!"), (.listStart, "!!seq"), (.mapStart, "!"), (.mapStart, "!!map"): isPlain = nil
        default: throw ConfigurationError(at: event.mark, "the tag '\(name)' is not known here; remove it")
        }
    }
}
