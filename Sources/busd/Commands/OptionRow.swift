// SPDX-License-Identifier: Apache-2.0

import Bus
import JSON

/// One option of a module as a line of its documentation; nested options have a path with dots.
struct OptionRow {
    let path: String
    let type: String
    let isRequired: Bool
    let fallback: String?
    let summary: String
    let example: String?

    static func rows(of description: SettingsDescription, under prefix: String = "") -> [OptionRow] {
        description.options.flatMap { option -> [OptionRow] in
            let path = prefix + option.key
            let row = OptionRow(
                path: path,
                type: name(of: option.shape),
                isRequired: option.isRequired,
                fallback: option.fallback,
                summary: option.summary,
                example: option.isSecret ? nil : option.example
            )
            return [row] + nested(option.shape, under: path)
        }
    }

    private static func nested(_ shape: SettingsDescription.Shape, under path: String) -> [OptionRow] {
        switch shape {
        case .value, .anything: []
        case .list(let element, _): nested(element, under: "\(path)[]")
        case .map(let element): nested(element, under: "\(path).NAME")
        case .group(let inner), .choice(let inner): rows(of: inner, under: "\(path).")
        }
    }

    private static func name(of shape: SettingsDescription.Shape) -> String {
        switch shape {
        case .value(let kind, let minimum, let maximum):
            let name = kind.choices.isEmpty ? kind.name : kind.choices.joined(separator: " | ")
            return bounded(name, minimum, maximum)
        case .list(let element, let acceptsOne):
            return acceptsOne ? "\(name(of: element)), or a list" : "list of \(name(of: element))"
        case .map(let element): return "map of names to \(name(of: element))"
        case .group: return "group"
        case .choice(let inner): return "one of: \(inner.options.map(\.key).joined(separator: ", "))"
        case .anything: return "anything"
        }
    }

    private static func bounded(_ name: String, _ minimum: String?, _ maximum: String?) -> String {
        switch (minimum, maximum) {
        case (nil, nil): name
        case (let low?, let high?): "\(name) from \(low) to \(high)"
        case (let low?, nil): "\(name) from \(low)"
        case (nil, let high?): "\(name) up to \(high)"
        }
    }

    /// The required options as YAML.
    static func example(of description: SettingsDescription, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        return description.options.filter(\.isRequired).flatMap { option -> [String] in
            switch option.shape {
            case .group(let inner): ["\(margin)\(option.key):"] + example(of: inner, indent: indent + 2)
            case .choice(let inner):
                ["\(margin)\(option.key):"]
                    + inner.options.prefix(1).flatMap { first -> [String] in
                        guard case .group(let group) = first.shape else { return [] }
                        return ["\(margin)  \(first.key):"] + example(of: group, indent: indent + 4)
                    }
            case .list(.group(let inner), _): ["\(margin)\(option.key):"] + listed(inner, indent: indent + 2)
            default: ["\(margin)\(option.key): \(option.example ?? "VALUE")"]
            }
        }
    }

    private static func listed(_ inner: SettingsDescription, indent: Int) -> [String] {
        var lines = example(of: inner, indent: indent + 2)
        guard let first = lines.first else { return [] }
        lines[0] = String(repeating: " ", count: indent) + "- " + first.drop { $0 == " " }
        return lines
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("path")
        writer.string(path)
        writer.key("type")
        writer.string(type)
        writer.key("required")
        writer.bool(isRequired)
        if let fallback {
            writer.key("default")
            writer.string(fallback)
        }
        writer.key("summary")
        writer.string(summary)
        if let example {
            writer.key("example")
            writer.string(example)
        }
        writer.endObject()
    }
}
