// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine
import JSON

/// What the modules say of themselves, written for people and for machines.
struct ModuleReference {
    private let modules: [Registry.Entry]

    init(_ modules: [Registry.Entry]) { self.modules = modules }

    func list(_ format: ModulesCommand.Format) -> String {
        switch format {
        case .text: textList
        case .json: json
        case .markdown: markdown
        }
    }

    func describe(_ format: ModulesCommand.Format) -> String {
        switch format {
        case .text: modules.map(text).joined(separator: "\n\n")
        case .json: json
        case .markdown: markdown
        }
    }

    // MARK: Text

    private var textList: String {
        let width = modules.map(\.name.count).max() ?? 0
        var lines: [String] = []
        for role in Registry.Role.allCases {
            let members = modules.filter { $0.role == role }
            if members.isEmpty { continue }
            lines.append("\(role.section):")
            for module in members {
                let gap = String(repeating: " ", count: width - module.name.count + 2)
                let note = module.options == nil ? " (not available in this release)" : ""
                lines.append("  \(module.name)\(gap)\(module.summary)\(note)")
            }
        }
        return lines.joined(separator: "\n")
    }

    private func text(_ module: Registry.Entry) -> String {
        var lines = ["\(module.name), under '\(module.role.section)': \(module.summary)"]
        guard let options = module.options else {
            return (lines + ["Not available in this release."]).joined(separator: "\n")
        }
        for row in OptionRow.rows(of: options) {
            lines.append("")
            lines.append("  \(row.path): \(row.type)\(row.isRequired ? ", required" : "")")
            lines.append("      \(row.summary)")
            if let fallback = row.fallback { lines.append("      default: \(fallback)") }
            if let example = row.example { lines.append("      example: \(example)") }
        }
        lines.append("")
        lines.append("Example:")
        lines += example(module, options).map { "  \($0)" }
        return lines.joined(separator: "\n")
    }

    /// The smallest use of a module: its required options, with their examples.
    private func example(_ module: Registry.Entry, _ options: SettingsDescription) -> [String] {
        let lines = OptionRow.example(of: options, indent: 6)
        let head = "  - \(module.name):"
        return ["\(module.role.section):"] + (lines.isEmpty ? [head + " {}"] : [head] + lines)
    }

    // MARK: Markdown

    private var markdown: String {
        modules.map { module in
            var lines = ["## `\(module.name)` (\(module.role.section))", "", module.summary]
            guard let options = module.options else {
                return (lines + ["", "Not available in this release."]).joined(separator: "\n")
            }
            let rows = OptionRow.rows(of: options)
            if !rows.isEmpty {
                lines += ["", "| option | type | default | meaning |", "| --- | --- | --- | --- |"]
                for row in rows {
                    let fallback = row.isRequired ? "required" : row.fallback.map { "`\($0)`" } ?? ""
                    let type = row.type.replacing("|", with: "\\|")
                    lines.append("| `\(row.path)` | \(type) | \(fallback) | \(row.summary) |")
                }
            }
            lines += ["", "```yaml"] + example(module, options) + ["```"]
            return lines.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    // MARK: JSON

    private var json: String {
        var writer = JSONWriter()
        writer.beginArray()
        for module in modules {
            writer.beginObject()
            writer.key("role")
            writer.string(module.role.section)
            writer.key("name")
            writer.string(module.name)
            writer.key("summary")
            writer.string(module.summary)
            writer.key("available")
            writer.bool(module.options != nil)
            if let options = module.options {
                writer.key("options")
                writer.beginArray()
                for row in OptionRow.rows(of: options) { row.write(to: &writer) }
                writer.endArray()
                writer.key("example")
                writer.string(example(module, options).joined(separator: "\n") + "\n")
            }
            writer.endObject()
        }
        writer.endArray()
        return writer.text
    }
}
